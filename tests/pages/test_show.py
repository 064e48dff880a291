"""Charts that can be clicked and saved, and every file that can be taken away."""

import pytest
import streamlit

from pages.ui import show


def test_no_upload_may_be_larger_than_the_server_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    most: list[object] = []
    monkeypatch.setattr(streamlit, "file_uploader", lambda *_, **more: most.append(more["max_upload_size"]))
    for server, wanted in ((100, [1, 20]), (5, [1, 5]), (1, [1, 1])):
        monkeypatch.setattr(streamlit, "get_option", {"server.maxUploadSize": server}.__getitem__)
        for size in (1_000_000, 20_000_000):
            show.upload("A file", "json", "upload", size, lambda name, content: None)
        assert most[-2:] == wanted
