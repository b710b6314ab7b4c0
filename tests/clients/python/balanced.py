"""A client that spreads its calls over several servers by itself, for the tests of balancing.

usage: balanced.py TARGET SERVICE_CONFIG

Each line of standard input is a word and its arguments; the answer is one line on standard output:
`start RATE` asks so many questions a second from then on, `count` tells what became of those since the last `count`.
"""

import collections
import json
import sys
import threading
import time

import grpc

from arbiter.v1 import arbiter_service_pb2_grpc, game_pb2
from arbiter.v1 import arbiter_service_pb2 as api

THREADS = 4

# Moves from the start position, and whether they are legal.
QUESTIONS = [("e4", True), ("e5", False), ("g1f3", True), ("Ke2", False), ("b1a3", True)]


def open_channel(target, service_config):
    options = [
        ("grpc.service_config", service_config),
        # Of a list of addresses gRPC makes a name that is none, and the server refuses it.
        ("grpc.default_authority", "arbiter"),
        # Addresses are asked for at most once in 30 s; the connections of these tests end sooner.
        ("grpc.dns_min_time_between_resolutions_ms", 500),
        # An instance that was started again is found as soon.
        ("grpc.max_reconnect_backoff_ms", 1000),
    ]
    return grpc.insecure_channel(target, options)


class Client:
    def __init__(self, target, service_config):
        channel = open_channel(target, service_config)
        self.stub = arbiter_service_pb2_grpc.ArbiterServiceStub(channel)
        self.lock = threading.Lock()
        self.calls, self.wrong, self.failed = 0, 0, collections.Counter()

    def start(self, rate):
        for _ in range(THREADS):
            threading.Thread(target=self.ask_on, args=(THREADS / float(rate),), daemon=True).start()
        return "started"

    def ask_on(self, pause):
        at, number = time.monotonic(), 0
        while True:
            self.ask(*QUESTIONS[number % len(QUESTIONS)])
            number += 1
            at += pause
            time.sleep(max(0.0, at - time.monotonic()))

    def ask(self, move, is_legal):
        request = api.ValidateMoveRequest(game=game_pb2.Game(), move=move)
        failure, wrong = None, False
        try:
            wrong = self.stub.ValidateMove(request, timeout=5).legal != is_legal
        except grpc.RpcError as error:
            failure = f"{error.code().name}: {error.details()}"
        with self.lock:
            self.calls += 1
            self.wrong += wrong
            if failure:
                self.failed[failure] += 1

    def count(self):
        with self.lock:
            counted = {"calls": self.calls, "wrong": self.wrong, "failed": dict(self.failed)}
            self.calls, self.wrong, self.failed = 0, 0, collections.Counter()
        return json.dumps(counted)


def main():
    client = Client(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        word, *arguments = line.split()
        print(getattr(client, word)(*arguments), flush=True)


main()
