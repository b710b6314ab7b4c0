"""A client that does what it is told, line by line, for the tests of the server.

usage: obedient.py ADDRESS [JSON]

The address may be several, as `ipv4:HOST:PORT,HOST:PORT`.
The JSON object may have `options` (of the channel), `ca`, `cert` and `key` (files, for TLS), `token`.
Each line of standard input is a word and its arguments; the answer is one line on standard output.
"""

import json
import sys
import time

import grpc
from grpc_status import rpc_status
from google.rpc import error_details_pb2

from arbiter.v1 import arbiter_service_pb2_grpc, game_pb2, search_pb2
from arbiter.v1 import arbiter_service_pb2 as api


def read(path):
    with open(path, "rb") as file:
        return file.read()


def open_channel(address, settings):
    # There is no policy for retries: gRPC itself tries a call again that was never sent, as its connection was about
    # to end, or that the server says it has not seen. Any other that fails is lost.
    options = [(name, value) for name, value in settings.get("options", {}).items()]
    if "ca" not in settings:
        return grpc.insecure_channel(address, options)
    key = read(settings["key"]) if "key" in settings else None
    chain = read(settings["cert"]) if "cert" in settings else None
    credentials = grpc.ssl_channel_credentials(read(settings["ca"]), key, chain)
    return grpc.secure_channel(address, credentials, options)


def describe(error):
    """The code of an error, and the reason of its ErrorInfo."""
    reason = "-"
    status = rpc_status.from_call(error)
    for detail in status.details if status else []:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            reason = info.reason
    return f"{error.code().name} {reason}"


class Client:
    def __init__(self, address, settings):
        self.address, self.settings = address, settings
        self.channel = open_channel(address, settings)
        self.stub = arbiter_service_pb2_grpc.ArbiterServiceStub(self.channel)
        self.metadata = [("authorization", f"Bearer {settings['token']}")] if "token" in settings else []
        self.stream = None

    def call(self):
        """Asks one question."""
        request = api.ValidateMoveRequest(game=game_pb2.Game(), move="e4")
        answer = self.stub.ValidateMove(request, timeout=10, metadata=self.metadata)
        return "legal" if answer.legal else "illegal"

    def many(self, count, pause):
        """Asks one question after the other, and counts."""
        for _ in range(int(count)):
            self.call()
            time.sleep(float(pause))
        return f"{count} answers"

    def token(self, *token):
        """Takes another token, or none."""
        self.metadata = [("authorization", f"Bearer {token[0]}")] if token else []
        return "taken"

    def open(self):
        """Opens a stream, which `next` asks."""
        self.questions = Questions()
        self.stream = self.stub.ValidateMoves(self.questions, metadata=self.metadata)
        return self.next()

    def next(self):
        """Asks the next question of the stream."""
        self.questions.put()
        return "legal" if next(self.stream).legal else "illegal"

    def search(self, count):
        """Begins searches that do not end by themselves, and hears a message of each."""
        request = search_pb2.SearchRequest(game=game_pb2.Game(), hash_mib=1)
        self.searches = [self.stub.Search(request, metadata=self.metadata) for _ in range(int(count))]
        for search in self.searches:
            next(search)
        return f"{count} searches"

    def wait(self, seconds):
        """Waits, and says how the channel is."""
        states = []
        self.channel.subscribe(states.append)
        time.sleep(float(seconds))
        return ",".join(dict.fromkeys(state.name for state in states))

    def anew(self):
        """Opens another channel, for the next calls."""
        settings = dict(self.settings)
        # Without this, channels with the same settings share their connection.
        settings["options"] = {**settings.get("options", {}), "grpc.use_local_subchannel_pool": 1}
        self.channel = open_channel(self.address, settings)
        self.stub = arbiter_service_pb2_grpc.ArbiterServiceStub(self.channel)
        return "opened"


class Questions:
    """Questions of a stream, as they are put."""

    def __init__(self):
        import queue

        self.queue = queue.Queue()

    def put(self):
        self.queue.put(api.ValidateMovesRequest(game=game_pb2.Game(), move="e4"))

    def __iter__(self):
        return self

    def __next__(self):
        return self.queue.get()


def main():
    client = Client(sys.argv[1], json.loads(sys.argv[2]) if len(sys.argv) > 2 else {})
    for line in sys.stdin:
        word, *arguments = line.split()
        try:
            print(getattr(client, word)(*arguments), flush=True)
        except grpc.RpcError as error:
            print(f"{word}: {error.details()}", file=sys.stderr, flush=True)
            print(describe(error), flush=True)


main()
