"""Asks Arbiter and its peers the same questions, and fails where an answer is another one.

usage: same.py ARBITER_ADDRESS PEER_ADDRESS...

Asked is about positions of real games with and without history, as arbiter-load does: what was played, and moves
from an empty square, of a man of the other side, and onto a man of the own.
"""

import gzip
import json
import pathlib
import random
import sys

import chess
import grpc
from arbiter.v1 import arbiter_service_pb2 as api
from arbiter.v1 import arbiter_service_pb2_grpc, game_pb2

GAMES = pathlib.Path(__file__).parent / "../../../crates/loadtest/corpus/games.jsonl.gz"
POSITIONS_OF_A_GAME = 8
HISTORY = 40


def main(addresses):
    channels = [grpc.insecure_channel(address) for address in addresses]
    stubs = [arbiter_service_pb2_grpc.ArbiterServiceStub(channel) for channel in channels]
    count = 0
    for count, request in enumerate(requests(), 1):
        expected, *others = [told(stub.ValidateMove(request, timeout=10)) for stub in stubs]
        for address, other in zip(addresses[1:], others):
            if other != expected:
                sys.exit(f"{address} answers\n{other}\nand Arbiter\n{expected}\nto\n{request}")
    print(f"{count} questions, the same answers")


def told(answer):
    """An answer without what the peers leave to Arbiter."""
    answer.state.ClearField("key")
    answer.illegal.ClearField("message")
    answer.illegal.ClearField("rule")
    return answer


def requests():
    chance = random.Random(1)
    with gzip.open(GAMES, "rt") as lines:
        games = [game for game in map(json.loads, lines) if game["variant"] == "CHESS"]
    for game in games:
        moves, fens = game["moves"].split(), game["fens"]
        for ply in chance.sample(range(len(moves)), POSITIONS_OF_A_GAME):
            for move in [moves[ply], *illegal(chess.Board(fens[ply]), chance)]:
                for start in {ply, max(0, ply - HISTORY)}:
                    played = game_pb2.Game(initial_fen=fens[start], moves=moves[start:ply])
                    yield api.ValidateMoveRequest(game=played, move=move)


def illegal(board, chance):
    """Moves that are not legal for three reasons."""
    ours = list(chess.SquareSet(board.occupied_co[board.turn]))
    theirs = list(chess.SquareSet(board.occupied_co[not board.turn]))
    empty = list(chess.SquareSet(~board.occupied))
    without_king = [square for square in ours if square != board.king(board.turn)]
    pairs = [(chance.choice(empty), chance.choice(ours)), (chance.choice(theirs), chance.choice(empty))]
    if without_king:
        pairs.append((without_king[0], next(square for square in ours if square != without_king[0])))
    return [chess.square_name(start) + chess.square_name(target) for start, target in pairs]


main(sys.argv[1:])
