/** The first letters of a person's names, in a circle. */
export function Face({ name }: { name: string }) {
  const words = name.trim().split(/\s+/u);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word = '') => /^./u.exec(word)?.[0] ?? '')
    .join('');
  return (
    <span className="face" aria-hidden="true">
      {letters}
    </span>
  );
}
