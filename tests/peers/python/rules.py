"""ValidateMove by python-chess, with the answer that Arbiter gives in its full view: ../README.md says which
fields."""

import chess
from arbiter.v1 import arbiter_service_pb2 as api
from arbiter.v1 import game_pb2 as pb

# Before these, no position can have stood five times, or twice.
FIVEFOLD_PLIES, REPEATED_PLIES = 16, 4


def validate_move(request: api.ValidateMoveRequest) -> api.ValidateMoveResponse:
    """Answers, or raises ValueError when the question cannot be asked."""
    board = replay(request.game)
    ply = len(request.game.moves)
    is_full = request.view != api.VIEW_BASIC
    try:
        move = chess.Move.from_uci(request.move)
    except ValueError:
        return refuse(board, ply, is_full, fault(pb.REASON_UNREADABLE, f"{request.move!r} is not a move"))
    is_legal = board.is_legal(move)
    if is_drawn(board) or not is_legal and not any(board.legal_moves):
        return refuse(board, ply, is_full, fault(pb.REASON_GAME_OVER, "the game is over"))
    if not is_legal:
        return refuse(board, ply, is_full, explain(board, move))
    played = play(board, move) if is_full else play_only(board, move)
    state = state_of(board, ply + 1) if is_full else None
    return api.ValidateMoveResponse(legal=True, move=played, fen=board.fen(), state=state)


def replay(game: pb.Game) -> chess.Board:
    """The position after the moves of a game."""
    if game.variant not in (pb.VARIANT_UNSPECIFIED, pb.VARIANT_CHESS):
        raise ValueError("this peer knows chess alone")
    board = chess.Board(game.initial_fen or chess.STARTING_FEN)
    for move in game.moves:
        board.push_uci(move)
    return board


def is_drawn(board: chess.Board) -> bool:
    """Whether the game had ended by a draw, other than stalemate."""
    if board.is_insufficient_material() or board.is_seventyfive_moves():
        return True
    return board.halfmove_clock >= FIVEFOLD_PLIES and board.is_fivefold_repetition()


def explain(board: chess.Board, move: chess.Move) -> pb.IllegalMove:
    """Why a move is not legal, with the square that makes it so."""
    start, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    piece = board.piece_at(move.from_square)
    if piece is None:
        return fault(pb.REASON_NO_PIECE, f"there is no piece on {start}", start)
    if piece.color != board.turn:
        return fault(pb.REASON_NOT_YOUR_PIECE, f"the piece on {start} is the other side's", start)
    if board.color_at(move.to_square) == board.turn:
        return fault(pb.REASON_OWN_PIECE_ON_TARGET, f"a piece of the own side stands on {target}", target)
    if move.promotion is None:
        promoting = chess.Move(move.from_square, move.to_square, chess.QUEEN)
        if board.is_legal(promoting):
            return fault(pb.REASON_PROMOTION_MISSING, f"a pawn becomes another piece on {target}")
    elif board.is_legal(chess.Move(move.from_square, move.to_square)):
        return fault(pb.REASON_PROMOTION_INVALID, f"nothing is promoted on {target}")
    return fault(pb.REASON_NOT_A_MOVE_OF_THIS_PIECE, f"this piece does not move from {start} to {target}")


def fault(reason, message: str, *squares: str) -> pb.IllegalMove:
    return pb.IllegalMove(reason=reason, message=message, squares=squares)


def refuse(board: chess.Board, ply: int, is_full: bool, illegal: pb.IllegalMove) -> api.ValidateMoveResponse:
    state = state_of(board, ply) if is_full else None
    return api.ValidateMoveResponse(illegal=illegal, fen=board.fen(), state=state)


def play_only(board: chess.Board, move: chess.Move) -> pb.Move:
    """Plays a legal move, and names it."""
    uci = board.uci(move)
    board.push(move)
    return pb.Move(uci=uci)


def play(board: chess.Board, move: chess.Move) -> pb.Move:
    """Plays a legal move, and describes it."""
    is_en_passant = board.is_en_passant(move)
    castling = pb.CASTLING_SIDE_UNSPECIFIED
    if board.is_castling(move):
        is_kings = board.is_kingside_castling(move)
        castling = pb.CASTLING_SIDE_KING if is_kings else pb.CASTLING_SIDE_QUEEN
        captured = None
    else:
        captured = chess.PAWN if is_en_passant else board.piece_type_at(move.to_square)
    # The numbers of the roles of chess are python-chess's.
    piece = board.piece_type_at(move.from_square)
    uci = board.uci(move)
    san = board.san_and_push(move)
    return pb.Move(
        uci=uci,
        san=san,
        from_square=uci[:2],
        to_square=uci[2:4],
        piece=piece,
        captured=captured,
        promotion=move.promotion,
        capture=captured is not None,
        check=san.endswith(("+", "#")),
        checkmate=san.endswith("#"),
        en_passant=is_en_passant,
        castling=castling,
    )


def state_of(board: chess.Board, ply: int) -> pb.GameState:
    """How the game stands."""
    checkers = board.checkers()
    count = board.legal_moves.count()
    repetitions = 1
    if board.halfmove_clock >= REPEATED_PLIES:
        while board.is_repetition(repetitions + 1):
            repetitions += 1
    return pb.GameState(
        outcome=outcome(board, count, bool(checkers), repetitions),
        side_to_move=side(board.turn),
        check=bool(checkers),
        checkers=[chess.square_name(square) for square in checkers],
        legal_move_count=count,
        repetitions=repetitions,
        quiet_plies=board.halfmove_clock,
        ply=ply,
    )


def outcome(board: chess.Board, count: int, is_check: bool, repetitions: int) -> pb.Outcome:
    """Whether and how the game has ended."""
    if count == 0 and is_check:
        winner = "Black" if board.turn else "White"
        return pb.Outcome(
            result=pb.RESULT_WIN,
            winner=side(not board.turn),
            termination=pb.TERMINATION_CHECKMATE,
            rule="CH-11",
            message=f"{winner} wins by checkmate",
        )
    if count == 0:
        return draw(pb.TERMINATION_STALEMATE, "CH-12", "draw by stalemate")
    if board.is_insufficient_material():
        return draw(pb.TERMINATION_DEAD_MATERIAL, "CH-13", "draw: neither side can mate")
    if repetitions >= 5:
        return draw(pb.TERMINATION_FIVEFOLD, "CH-24", "draw by the fifth occurrence of a position")
    if board.is_seventyfive_moves():
        return draw(pb.TERMINATION_SEVENTY_FIVE_MOVES, "CH-24", "draw by 75 moves without progress")
    return pb.Outcome(result=pb.RESULT_IN_PROGRESS)


def draw(termination, rule: str, message: str) -> pb.Outcome:
    return pb.Outcome(result=pb.RESULT_DRAW, termination=termination, rule=rule, message=message)


def side(is_white: bool):
    return pb.SIDE_FIRST if is_white else pb.SIDE_SECOND
