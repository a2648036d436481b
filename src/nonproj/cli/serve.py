"""The verb ``serve``."""

from __future__ import annotations

import click

from nonproj.cli import options


@click.command()
@options.both(options.files, options.sample)
@click.option("--model", metavar="FILE", help="A trained model, to parse typed text and score sentences with.")
@click.option(
    "--port", type=options.whole(0, 65535), metavar="N", help="The port  [default: the first free from 8642]."
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="The address to listen at.")
@click.option(
    "--i-know-others-can-see",
    "others",
    is_flag=True,
    help="Needed with a --host that other machines reach: whoever gets the printed address sees the treebanks.",
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--export", "folder", metavar="FOLDER", help="Write the page of the sample as static files, and end.")
def serve(
    files: tuple[str, ...],
    sample: bool,
    model: str | None,
    port: int | None,
    host: str,
    others: bool,
    no_browser: bool,
    folder: str | None,
) -> None:
    """Open a page in the browser: treebanks, trees, every algorithm step by step, decoding.

    FILES are treebanks or folders of them; more can be dropped on the page. They stay on this machine: the page is
    served to this machine alone, under an address with a secret in it, and asks nothing of the network. Ctrl-C ends it.

    \b
    nonproj serve --sample
    nonproj serve corpus.conllu --model parser.npm
    nonproj serve --export site/
    """
    from nonproj.web.serving import is_loopback, need_web

    need_web()
    if folder is not None:
        if files or model:
            raise click.UsageError("--export writes the page of the sample treebank: it takes no files and no model")
        _export(folder)
        return
    if not is_loopback(host) and not others:
        raise click.UsageError(
            f"--host {host} lets other machines in, unencrypted: whoever gets the printed address sees the treebanks "
            "and may use this machine to compute; if that is meant, add --i-know-others-can-see"
        )
    if sample and files:
        raise click.UsageError("give files or --sample, not both")
    from nonproj.text import Pipeline
    from nonproj.treebank import example_treebank
    from nonproj.web import Library
    from nonproj.web import serve as serve_page

    loaded = None if model is None else Pipeline.load(model)
    library = Library.open(files, model=loaded) if files else Library([example_treebank()], model=loaded)
    for shelf in library.shelves:
        if shelf.treebank.skipped:
            options.warn(f"{shelf.name}: {len(shelf.treebank.skipped)} sentences are not valid and left out")
        for empty in shelf.treebank.empty:
            options.warn(empty)

    def started(address: str) -> None:
        click.echo(f"the page is at {address}\nCtrl-C ends it")

    serve_page(library, host=host, port=port, open_browser=not no_browser, started=started)
    click.echo("ended")


def _export(folder: str) -> None:
    from nonproj.web import export_site

    with options.progress_bar("writing", "pages") as progress:
        count = export_site(folder, progress=progress)
    click.echo(f"{count} files in {folder}: open them through a web server, such as python -m http.server -d {folder}")
