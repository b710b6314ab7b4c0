"""Asks a running Arbiter about a game. README.md says how to generate the modules of `arbiter.v1`."""

import os
import sys

import grpc
from arbiter.v1 import arbiter_service_pb2 as api
from arbiter.v1 import arbiter_service_pb2_grpc, game_pb2
from google.rpc import error_details_pb2
from grpc_status import rpc_status


def main(address: str) -> None:
    with grpc.insecure_channel(address) as channel:
        arbiter = arbiter_service_pb2_grpc.ArbiterServiceStub(channel)
        validate(arbiter, ["e4", "e5", "Nf3"], "Nc6")
        validate(arbiter, ["e4", "e5", "Nf3", "Nc6"], "O-O")
        validate(arbiter, ["f3", "e5", "g4"], "d8h4")
        validate_many(arbiter, ["e4", "e5", "Ke2", "Ke7", "Ke4"])
        explain_bad_fen(arbiter, "k7/2K5/8/8/2K5/8/8/P7 w - - 0 1")


def validate(arbiter, moves: list[str], move: str) -> None:
    """Is a move legal after these moves, and how does the game stand then?"""
    answer = arbiter.ValidateMove(api.ValidateMoveRequest(game=game_pb2.Game(moves=moves), move=move))
    if not answer.legal:
        print(f"{move}: {game_pb2.Reason.Name(answer.illegal.reason)}: {answer.illegal.message}")
        return
    result = game_pb2.Result.Name(answer.state.outcome.result)
    print(f"{answer.move.san}: {answer.fen}: {result} {answer.state.outcome.message}".rstrip())


def validate_many(arbiter, moves: list[str]) -> None:
    """Every move of a game, over one stream: one answer for each request, in order."""
    requests = (
        api.ValidateMovesRequest(game=game_pb2.Game(moves=moves[:ply]), move=move, view=api.VIEW_BASIC)
        for ply, move in enumerate(moves)
    )
    for move, answer in zip(moves, arbiter.ValidateMoves(requests)):
        print(move, answer.move.uci if answer.legal else answer.illegal.message)


def explain_bad_fen(arbiter, fen: str) -> None:
    """A request that cannot be asked is an error, which names the field that is wrong, and says all
    that is wrong with a FEN."""
    try:
        arbiter.LegalMoves(api.LegalMovesRequest(game=game_pb2.Game(initial_fen=fen)))
    except grpc.RpcError as error:
        print(error.code().name)
        for detail in rpc_status.from_call(error).details:
            request = error_details_pb2.BadRequest()
            if detail.Unpack(request):
                for violation in request.field_violations:
                    print(f"  {violation.field}: {violation.description}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ARBITER_LISTEN", "127.0.0.1:50051"))
