"""Makes games.jsonl.gz out of the games of tests/data: see README.md beside it.

What the answers have to be is told by two other programs, python-chess and Fairy-Stockfish (pyffish), so that the
service is never asked to check itself. Both are under the GPL; this script alone calls them, and nothing of them is
in the result but facts.

    pip install chess==1.11.2 pyffish==0.0.90
    python3 crates/loadtest/corpus/make.py
"""

import gzip
import io
import json
import pathlib

import chess
import chess.pgn
import pyffish

HERE = pathlib.Path(__file__).parent
DATA = HERE / "../../../tests/data"
GAMES = 48  # of each variant
PLIES = range(60, 161)
LISTED = 3  # positions of each game with all their legal moves
XIANGQI_START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
CROSSES_RIVER = set("RNCPrncp")


def chess_games():
    with gzip.open(DATA / "chess/games/lichess.pgn.gz", "rt") as text:
        while game := chess.pgn.read_game(text):
            moves = list(game.mainline_moves())
            board = game.board()
            boards = [board.copy()]
            for move in moves:
                board.push(move)
                boards.append(board.copy())
            over = any(b.is_insufficient_material() or b.halfmove_clock >= 99 for b in boards)
            if len(moves) in PLIES and not over and not repeats(b.board_fen() for b in boards):
                yield {
                    "variant": "CHESS",
                    "moves": [move.uci() for move in moves],
                    "fens": [b.fen(en_passant="legal") for b in boards],
                    "legal": [sorted(move.uci() for move in b.legal_moves) for b in boards],
                }


def xiangqi_games():
    with gzip.open(DATA / "xiangqi/games/masters_uci.txt.gz", "rt") as text:
        for line in text:
            moves = line.split()[1:]
            if len(moves) not in PLIES:
                continue
            theirs = [to_rank1(move) for move in moves]
            fens = [pyffish.get_fen("xiangqi", XIANGQI_START, theirs[:i]) for i in range(len(moves) + 1)]
            placements = [fen.split()[0] for fen in fens]
            over = any(not CROSSES_RIVER & set(placement) for placement in placements)
            over |= any(int(fen.split()[4]) >= 99 for fen in fens)
            if not over and not repeats(placements):
                legal = [pyffish.legal_moves("xiangqi", fen, []) for fen in fens]
                yield {
                    "variant": "XIANGQI",
                    "moves": moves,
                    "fens": fens,
                    "legal": [sorted(map(from_rank1, moves)) for moves in legal],
                }


def repeats(placements):
    """Whether a position stands for the third time: what then follows is a matter of rule sets."""
    placements = list(placements)
    return any(placements.count(placement) >= 3 for placement in set(placements))


def to_rank1(move):
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def from_rank1(move):
    start = move[:3] if move[2].isdigit() else move[:2]
    target = move[len(start):]
    return f"{start[0]}{int(start[1:]) - 1}{target[0]}{int(target[1:]) - 1}"


def packed(game):
    plies = len(game["moves"])
    listed = [plies * (i + 1) // (LISTED + 1) for i in range(LISTED)]
    return {
        "variant": game["variant"],
        "moves": " ".join(game["moves"]),
        "fens": game["fens"],
        "legal_move_counts": [len(moves) for moves in game["legal"]],
        "listed": [{"ply": ply, "legal": " ".join(game["legal"][ply])} for ply in listed],
    }


def main():
    lines = []
    for games in (chess_games(), xiangqi_games()):
        # Every so many, so that they are of all kinds.
        fitting = [game for game, _ in zip(games, range(GAMES * 4))]
        lines += [json.dumps(packed(game), separators=(",", ":")) for game in fitting[:: len(fitting) // GAMES][:GAMES]]
    raw = io.BytesIO()
    with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=9, mtime=0) as packer:
        packer.write("".join(line + "\n" for line in lines).encode())
    (HERE / "games.jsonl.gz").write_bytes(raw.getvalue())
    print(f"{len(lines)} games, {len(raw.getvalue())} bytes")


if __name__ == "__main__":
    main()
