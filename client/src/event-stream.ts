/** Reads server-sent events (WHATWG HTML, section 9.2) from the body of an answer. */

interface ServerEvent {
  event: string;
  data: string;
}

/**
 * @param onBytes called when bytes arrive, also for comments that only keep the connection open
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let event = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, name, text = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
        if (line === '') {
          if (event) yield { event, data: data.join('\n') };
          event = '';
          data = [];
        } else if (name === 'event') event = text;
        else if (name === 'data') data.push(text);
      }
    }
  } finally {
    // Otherwise the connection stays open. It is closed already if reading failed.
    await reader.cancel().catch(() => undefined);
  }
}
