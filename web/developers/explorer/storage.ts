/** Keeps tabs and history in the browser, without the headers: they may hold an API key. */

const withoutHeaders = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
      key === 'headers' ? undefined : value,
    );
  } catch {
    // Some values are plain text, such as the width of a panel.
    return text;
  }
};

/** Has the methods of `localStorage` that GraphiQL uses. */
export const storageWithoutHeaders = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, text: string) => localStorage.setItem(key, withoutHeaders(text)),
  removeItem: (key: string) => localStorage.removeItem(key),
  /** Other pages of this service keep things in the browser too. */
  clear: () => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('graphiql:')) localStorage.removeItem(key);
  },
  get length() {
    return localStorage.length;
  },
};
