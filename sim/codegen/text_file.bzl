"""text_file: a file whose lines a BUILD file makes."""

def _write(context):
    context.actions.write(context.outputs.out, "".join([line + "\n" for line in context.attr.lines]))

text_file = rule(
    implementation = _write,
    attrs = {
        "lines": attr.string_list(mandatory = True),
        "out": attr.output(mandatory = True),
    },
)
