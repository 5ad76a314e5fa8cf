"""Writes a language model of half a megabyte: `python tiny_model.py OUTPUT.gguf`.

It knows bytes and the marks of a chat, and its weights are random numbers, apart from a few rows: a line feed is followed
by `<tool_call>` and that by a line feed, where the server lets a grammar begin that holds the rest to the schemas of the
tools, and the end of a call by that of the answer; and what ends a string, a list or an object is more likely than anything else, so that calls come to an end. Attention and feed-forward
layers add nothing, so the next token depends on the last one alone.
"""

import sys

import gguf
import numpy as np

EMBEDDING = 64
FEED_FORWARD = 64
HEADS = 4
# A token is a byte, so prompts are long.
CONTEXT = 131_072
CHAT = ["<|im_start|>", "<|im_end|>"]
CALLS = ["<tool_call>", "</tool_call>"]


def vocabulary() -> tuple[list[str], list[gguf.TokenType]]:
    special = [("<unk>", gguf.TokenType.UNKNOWN), ("<s>", gguf.TokenType.CONTROL), ("</s>", gguf.TokenType.CONTROL)]
    single = [(f"<0x{byte:02X}>", gguf.TokenType.BYTE) for byte in range(256)]
    chat = [(mark, gguf.TokenType.CONTROL) for mark in CHAT]
    calls = [(mark, gguf.TokenType.USER_DEFINED) for mark in CALLS]
    # Spaces are written this way before a text is cut into tokens.
    tokens = [*special, *single, *chat, *calls, ("\u2581", gguf.TokenType.NORMAL)]
    return [token for token, _ in tokens], [kind for _, kind in tokens]


def weights(tokens: list[str]) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(2026)
    embedding = generator.normal(0, 0.3, (len(tokens), EMBEDDING)).astype(np.float32)
    output = generator.normal(0, 0.3, (len(tokens), EMBEDDING)).astype(np.float32)
    # The first four dimensions are for the rows that are set by hand.
    embedding[:, :4] = output[:, :4] = 0
    embedding[:, 0] = 1
    index = {token: number for number, token in enumerate(tokens)}
    for ending, weight in [('"', 3), ("}", 3.2), ("]", 3.2)]:
        # Without chance, so that no run of other tokens can keep it out.
        output[index[f"<0x{ord(ending):02X}>"]] = 0
        output[index[f"<0x{ord(ending):02X}>"], 0] = weight
    output[index["<|im_end|>"], 0] = 1.5
    embedding[index["<0x0A>"], 1] = 12
    output[index["<tool_call>"], 1] = 4
    embedding[index["<tool_call>"], 2] = 12
    output[index["<0x0A>"], 2] = 4
    embedding[index["</tool_call>"], 3] = 12
    output[index["<|im_end|>"], 3] = 4
    identity = np.ones(EMBEDDING, dtype=np.float32)
    square = np.zeros((EMBEDDING, EMBEDDING), dtype=np.float32)
    return {
        "token_embd.weight": embedding,
        "output.weight": output,
        "output_norm.weight": identity,
        "blk.0.attn_norm.weight": identity,
        "blk.0.ffn_norm.weight": identity,
        **{f"blk.0.attn_{part}.weight": square for part in ("q", "k", "v", "output")},
        **{f"blk.0.ffn_{part}.weight": np.zeros((FEED_FORWARD, EMBEDDING), np.float32) for part in ("gate", "up")},
        "blk.0.ffn_down.weight": np.zeros((EMBEDDING, FEED_FORWARD), np.float32),
    }


def main(path: str) -> None:
    tokens, kinds = vocabulary()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(EMBEDDING)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_block_count(1)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(EMBEDDING // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
    for name, tensor in weights(tokens).items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(sys.argv[1])
