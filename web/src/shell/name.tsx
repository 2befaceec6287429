/** Names of files, shortened before their last letters and the extension. */
export function Name({ children: name }: { children: string }) {
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 && name.length - dot <= 8 ? dot : name.length;
  const cut = Math.max(0, stem - 5);
  return (
    <bdi className="name" title={name}>
      {name.length < 12 ? (
        <span>{name}</span>
      ) : (
        <>
          <span>{name.slice(0, cut)}</span>
          <span>{name.slice(cut)}</span>
        </>
      )}
    </bdi>
  );
}
