/**
 * Returns the results in a stream of Server-Sent Events.
 *
 * @param body of a response. It is cancelled when the iterator is closed.
 */
export function resultsOf<Result>(body: ReadableStream): AsyncIterableIterator<Result> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const results = parse<Result>(reader);
  return {
    next: () => results.next(),
    return: async () => {
      await reader.cancel();
      return results.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* parse<Result>(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<Result, void, void> {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}
