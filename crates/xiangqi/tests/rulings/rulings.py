"""What Fairy-Stockfish says of repetitions, by its variant `xiangqi`, which has the Asian rules of chasing.

Reads a line `FEN|MOVES` for each question, moves in UCI with ranks 0 to 9, and prints for each what follows
from the repetition at the end: draw, red_loses, black_loses, or none. pyffish is under the GPL: it is asked
here, in a process of its own, and nothing of it is linked or shipped.
"""

import sys

import pyffish

VARIANT = "xiangqi"


def with_ranks_from_1(move: str) -> str:
    """The move as pyffish writes it: a0 is a1, and a9 is a10."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def verdict(fen: str, moves: list[str]) -> str:
    """What follows from the repetition; the value is that of the side to move."""
    is_end, value = pyffish.is_optional_game_end(VARIANT, fen, [with_ranks_from_1(move) for move in moves])
    if not is_end:
        return "none"
    if value == 0:
        return "draw"
    starts_red = fen.split()[1] != "b"
    is_red_to_move = starts_red == (len(moves) % 2 == 0)
    return "red_loses" if is_red_to_move == (value < 0) else "black_loses"


for line in sys.stdin:
    fen, moves = line.rstrip("\n").split("|")
    print(verdict(fen, moves.split()))
