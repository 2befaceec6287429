/** Names of files, shortened before their last letters and the extension. Screen readers hear all. */
import { piecesOf, visible } from '../words/names';

export function Name({ children }: { children: string }) {
  const name = visible(children);
  const [stem, end] = piecesOf(name);
  return (
    <bdi className="name" title={name}>
      <span className="unseen">{name}</span>
      <span className="stem" aria-hidden="true">
        {stem}
      </span>
      <span aria-hidden="true">{end}</span>
    </bdi>
  );
}
