// Reads server-sent events, as the server writes them: `id:`, `event:` and `data:` on one line each, and comments.
// https://html.spec.whatwg.org/multipage/server-sent-events.html

export interface ServerEvent {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

export async function* eventsOf(body: ReadableStream<BufferSource>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map(line => {
          const at = line.indexOf(': ');
          return [line.slice(0, at), line.slice(at + 2)];
        }),
      );
      const [id, name, data] = ['id', 'event', 'data'].map(field => fields.get(field));
      if (id !== undefined && name !== undefined && data !== undefined) yield { id, name, data };
    }
  }
}
