"""A real model server with a model of one small layer of random weights: it answers
anything with noise, in the way of a large one. Prints its port.

    llama_server.py DIRECTORY

The model is written into DIRECTORY. Equal questions get equal answers.
"""

import os
import socket
import sys
import threading
from pathlib import Path

import numpy
import uvicorn
from gguf import GGUFWriter, TokenType
from llama_cpp.server.app import create_app
from llama_cpp.server.settings import ModelSettings, ServerSettings

WIDTH, HEADS, INNER, CONTEXT = 32, 2, 64, 512


def write_model(path):
    pieces = [("<unk>", TokenType.UNKNOWN), ("<s>", TokenType.CONTROL), ("</s>", TokenType.CONTROL)]
    pieces += [(f"<0x{byte:02X}>", TokenType.BYTE) for byte in range(256)]
    pieces += [(chr(letter), TokenType.NORMAL) for letter in range(ord("a"), ord("z") + 1)]
    writer = GGUFWriter(path, "llama")
    writer.add_name("noise")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(pieces))
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text.encode() for text, _ in pieces])
    writer.add_token_scores([0.0] * len(pieces))
    writer.add_token_types([kind for _, kind in pieces])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    random = numpy.random.default_rng(7)

    def tensor(name, *shape):
        writer.add_tensor(name, random.standard_normal(shape, dtype=numpy.float32))

    tensor("token_embd.weight", len(pieces), WIDTH)
    tensor("output_norm.weight", WIDTH)
    tensor("output.weight", len(pieces), WIDTH)
    for part in ["attn_norm", "ffn_norm"]:
        tensor(f"blk.0.{part}.weight", WIDTH)
    for part in ["attn_q", "attn_k", "attn_v", "attn_output"]:
        tensor(f"blk.0.{part}.weight", WIDTH, WIDTH)
    for part in ["ffn_gate", "ffn_up"]:
        tensor(f"blk.0.{part}.weight", INNER, WIDTH)
    tensor("blk.0.ffn_down.weight", WIDTH, INNER)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


path = Path(sys.argv[1]) / "noise.gguf"
write_model(path)
model = ModelSettings(
    model=str(path), model_alias="noise", n_ctx=CONTEXT, n_threads=1, seed=7, verbose=False
)
app = create_app(server_settings=ServerSettings(), model_settings=[model])
# What it says of each request from here on is nobody's business.
with open(path.with_suffix(".log"), "w") as log:
    os.dup2(log.fileno(), sys.stderr.fileno())


def end_with_the_test():
    # Its end of the pipe is closed when the test is over, however it ends.
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_the_test, daemon=True).start()
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
