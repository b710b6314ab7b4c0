// ValidateMove by chess.js, with the answer that Arbiter gives in its full view: ../README.md says which
// fields.
'use strict';

const { Chess } = require('chess.js');

const UCI = /^[a-h][1-8][a-h][1-8][nbrq]?$/;

/** Plies without progress after which a game is drawn. */
const SEVENTY_FIVE_MOVES = 150;

/** A question that cannot be asked. */
class Unaskable extends Error {}

/** The rules, in the numbers of the API's enums. */
function rules(api) {
    const roles = {
        p: api.Role.ROLE_PAWN,
        n: api.Role.ROLE_KNIGHT,
        b: api.Role.ROLE_BISHOP,
        r: api.Role.ROLE_ROOK,
        q: api.Role.ROLE_QUEEN,
        k: api.Role.ROLE_KING,
    };

    function validateMove(request) {
        const game = request.game ?? {};
        const chess = replay(game);
        const ply = game.moves?.length ?? 0;
        const text = request.move ?? '';
        const isFull = request.view !== api.View.VIEW_BASIC;
        const refuse = (illegal) => {
            const fen = chess.fen();
            const state = isFull ? stateOf(chess, fen, ply) : undefined;
            return { legal: false, illegal, fen, state };
        };
        if (!UCI.test(text)) return refuse(fault(api.Reason.REASON_UNREADABLE, `"${text}" is not a move`));
        if (isDrawn(chess)) return refuse(over());
        const forbidden = explain(chess, text);
        if (forbidden) return refuse(forbidden);
        const move = tryMove(chess, text);
        if (!move) return refuse(explainRest(chess, text));
        return {
            legal: true,
            move: isFull ? describe(move) : { uci: move.lan },
            fen: move.after,
            state: isFull ? stateOf(chess, move.after, ply + 1) : undefined,
        };
    }

    /** The position after the moves of a game. */
    function replay(game) {
        if (game.variant && game.variant !== api.Variant.VARIANT_CHESS) {
            throw new Unaskable('this peer knows chess alone');
        }
        let chess;
        try {
            chess = game.initialFen ? new Chess(game.initialFen) : new Chess();
        } catch (error) {
            throw new Unaskable(error.message);
        }
        for (const text of game.moves ?? []) {
            if (!UCI.test(text) || !playOnly(chess, text)) throw new Unaskable(`${text} is not legal`);
        }
        return chess;
    }

    /** Why a move is not legal that the board alone forbids, with the square that makes it so. */
    function explain(chess, text) {
        const [from, to, promotion] = parts(text);
        const piece = chess.get(from);
        if (!piece) return fault(api.Reason.REASON_NO_PIECE, `there is no piece on ${from}`, from);
        if (piece.color !== chess.turn()) {
            return fault(api.Reason.REASON_NOT_YOUR_PIECE, `the piece on ${from} is the other side's`, from);
        }
        if (chess.get(to)?.color === piece.color) {
            return fault(api.Reason.REASON_OWN_PIECE_ON_TARGET, `a piece of the own side stands on ${to}`, to);
        }
        // chess.js overlooks it.
        if (promotion && !(piece.type === 'p' && /[18]/.test(to[1]))) {
            return fault(api.Reason.REASON_PROMOTION_INVALID, `nothing is promoted on ${to}`);
        }
        return null;
    }

    function over() {
        return fault(api.Reason.REASON_GAME_OVER, 'the game is over');
    }

    /** Why another move is not legal. */
    function explainRest(chess, text) {
        if (chess.isCheckmate() || chess.isStalemate()) return over();
        const [from, to, promotion] = parts(text);
        if (!promotion && tryMove(chess, `${text}q`)) {
            chess.undo();
            return fault(api.Reason.REASON_PROMOTION_MISSING, `a pawn becomes another piece on ${to}`);
        }
        return fault(api.Reason.REASON_NOT_A_MOVE_OF_THIS_PIECE, `this piece does not move from ${from} to ${to}`);
    }

    function describe(move) {
        const isMate = move.san.endsWith('#');
        let castling = api.CastlingSide.CASTLING_SIDE_UNSPECIFIED;
        if (move.isKingsideCastle()) castling = api.CastlingSide.CASTLING_SIDE_KING;
        if (move.isQueensideCastle()) castling = api.CastlingSide.CASTLING_SIDE_QUEEN;
        return {
            uci: move.lan,
            san: move.san,
            fromSquare: move.from,
            toSquare: move.to,
            piece: roles[move.piece],
            captured: move.captured && roles[move.captured],
            promotion: move.promotion && roles[move.promotion],
            capture: Boolean(move.captured),
            check: isMate || move.san.endsWith('+'),
            checkmate: isMate,
            enPassant: move.isEnPassant(),
            castling,
        };
    }

    /** How the game stands. */
    function stateOf(chess, fen, ply) {
        const turn = chess.turn();
        const isCheck = chess.isCheck();
        const [king] = isCheck ? chess.findPiece({ type: 'k', color: turn }) : [];
        // The count of legal moves alone: a list of them would be made of notations.
        const count = chess.perft(1);
        const repetitions = timesOf(chess);
        const quietPlies = Number(fen.split(' ')[4]);
        return {
            outcome: outcome(chess, quietPlies, count, isCheck, repetitions),
            sideToMove: side(turn),
            check: isCheck,
            checkers: isCheck ? chess.attackers(king, other(turn)) : [],
            legalMoveCount: count,
            repetitions,
            quietPlies,
            ply,
        };
    }

    /** Whether and how the game has ended. */
    function outcome(chess, quietPlies, count, isCheck, repetitions) {
        const by = api.Termination;
        const draw = (termination, rule, message) => {
            return { result: api.Result.RESULT_DRAW, termination, rule, message };
        };
        if (count === 0 && isCheck) {
            const winner = other(chess.turn());
            return {
                result: api.Result.RESULT_WIN,
                winner: side(winner),
                termination: by.TERMINATION_CHECKMATE,
                rule: 'CH-11',
                message: `${winner === 'w' ? 'White' : 'Black'} wins by checkmate`,
            };
        }
        if (count === 0) return draw(by.TERMINATION_STALEMATE, 'CH-12', 'draw by stalemate');
        if (chess.isInsufficientMaterial()) {
            return draw(by.TERMINATION_DEAD_MATERIAL, 'CH-13', 'draw: neither side can mate');
        }
        if (repetitions >= 5) {
            return draw(by.TERMINATION_FIVEFOLD, 'CH-24', 'draw by the fifth occurrence of a position');
        }
        if (quietPlies >= SEVENTY_FIVE_MOVES) {
            return draw(by.TERMINATION_SEVENTY_FIVE_MOVES, 'CH-24', 'draw by 75 moves without progress');
        }
        return { result: api.Result.RESULT_IN_PROGRESS };
    }

    function side(color) {
        return color === 'w' ? api.Side.SIDE_FIRST : api.Side.SIDE_SECOND;
    }

    return { validateMove };
}

function fault(reason, message, ...squares) {
    return { reason, message, squares };
}

// What begins with an underscore is not chess.js's public interface. It is used because it makes this peer faster:
// played by `move`, which writes the SAN and two FENs of every move, history would cost ten times as much.

/** Plays a move of the history, if it is legal. */
function playOnly(chess, text) {
    const [from, to, promotion] = parts(text);
    // chess.js counts squares from a8, 16 to a rank.
    const target = 16 * (8 - Number(to[1])) + to.charCodeAt(0) - 'a'.charCodeAt(0);
    const isMeant = (move) => move.to === target && move.promotion === promotion;
    const move = chess._moves({ square: from }).find(isMeant);
    if (!move) return false;
    chess._makeMove(move);
    chess._incPositionCount();
    return true;
}

/** How often the position has stood on the board. */
function timesOf(chess) {
    return chess._getPositionCount(chess._hash);
}

/** Whether the game has ended by a draw, other than stalemate. */
function isDrawn(chess) {
    return chess._halfMoves >= SEVENTY_FIVE_MOVES || timesOf(chess) >= 5 || chess.isInsufficientMaterial();
}

/** Plays a move, if it is legal. chess.js tells what is not legal by an exception. */
function tryMove(chess, text) {
    const [from, to, promotion] = parts(text);
    try {
        return chess.move({ from, to, promotion });
    } catch {
        return null;
    }
}

function parts(text) {
    return [text.slice(0, 2), text.slice(2, 4), text[4]];
}

function other(color) {
    return color === 'w' ? 'b' : 'w';
}

module.exports = { rules, Unaskable };
