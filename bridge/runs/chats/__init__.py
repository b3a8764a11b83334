"""Episodes as chats for fine-tuning: messages, tools and pictures as models get them.

``docs/datasets.md`` describes the files, and what reads them.
"""
