/** Shares the answer to a question between all rows of a request that ask it. */
interface Answers {
  /** @param key the question, with everything its answer depends on */
  share<T>(key: readonly (string | number)[], ask: () => Promise<T>): Promise<T>;
}

export function sharedAnswers(): Answers {
  const asked = new Map<string, Promise<unknown>>();
  return {
    share<T>(key: readonly (string | number)[], ask: () => Promise<T>) {
      const name = JSON.stringify(key);
      // The key names the question, so all its answers have one type.
      let answer = asked.get(name) as Promise<T> | undefined;
      if (!answer) asked.set(name, (answer = ask()));
      return answer;
    },
  };
}
