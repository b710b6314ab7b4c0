// A service in Node that answers ValidateMove, to compare Arbiter with: see ../README.md.
//
// usage: node server.js PROTO_FOLDER    (with the packages of package.json in NODE_PATH)
'use strict';

const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const { rules, Unaskable } = require('./rules.js');

const definitions = loader.loadSync('arbiter/v1/arbiter_service.proto', { includeDirs: [process.argv[2]] });
const { validateMove } = rules(enums(definitions));

/** The enums by their short names, each from names to numbers. */
function enums(definitions) {
    const found = {};
    for (const [path, { type }] of Object.entries(definitions)) {
        if (!path.startsWith('arbiter.v1.') || !Array.isArray(type?.value)) continue;
        const values = type.value.map(({ name, number }) => [name, number]);
        found[path.slice(path.lastIndexOf('.') + 1)] = Object.fromEntries(values);
    }
    return found;
}

function answer(call, done) {
    try {
        done(null, validateMove(call.request));
    } catch (error) {
        const code = error instanceof Unaskable ? grpc.status.INVALID_ARGUMENT : grpc.status.INTERNAL;
        done({ code, details: error.message });
    }
}

const server = new grpc.Server();
server.addService(definitions['arbiter.v1.ArbiterService'], { ValidateMove: answer });
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stderr.write(`listening address=127.0.0.1:${port}\n`);
});
