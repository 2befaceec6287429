/** Names of files, shortened before their last letters and the extension. Screen readers hear all. */
export function Name({ children: name }: { children: string }) {
  const dot = name.lastIndexOf('.');
  const end = dot > 0 && name.length - dot <= 8 ? dot : name.length;
  const cut = name.length < 12 ? name.length : Math.max(0, end - 5);
  return (
    <bdi className="name" title={name}>
      <span className="unseen">{name}</span>
      <span className="stem" aria-hidden="true">
        {name.slice(0, cut)}
      </span>
      <span aria-hidden="true">{name.slice(cut)}</span>
    </bdi>
  );
}
