"""A service in Python that answers ValidateMove, to compare Arbiter with: see ../README.md.

usage: server.py    (with the modules that grpc_tools makes of proto/ on PYTHONPATH)
"""

import sys
from concurrent import futures

import grpc
from arbiter.v1 import arbiter_service_pb2_grpc

import rules

# One thread works at a time; a few keep it busy.
THREADS = 4


class Arbiter(arbiter_service_pb2_grpc.ArbiterServiceServicer):
    def ValidateMove(self, request, context):
        try:
            return rules.validate_move(request)
        except ValueError as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))


def main():
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=THREADS))
    arbiter_service_pb2_grpc.add_ArbiterServiceServicer_to_server(Arbiter(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening address=127.0.0.1:{port}", file=sys.stderr, flush=True)
    server.wait_for_termination()


main()
