/** What a request asks once, however many rows of its lists want to know. */
export interface Answers {
  /** @param what names the question and all that it depends on */
  share<T>(what: readonly (string | number)[], ask: () => Promise<T>): Promise<T>;
}

export function answersOf(): Answers {
  const asked = new Map<string, Promise<unknown>>();
  return {
    share<T>(what: readonly (string | number)[], ask: () => Promise<T>) {
      const key = JSON.stringify(what);
      let answer = asked.get(key) as Promise<T> | undefined;
      if (!answer) asked.set(key, (answer = ask()));
      return answer;
    },
  };
}
