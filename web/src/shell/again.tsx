/** A button that asks the service once more. It keeps the focus while it waits. */
import { Icon } from './icon';

export function Again({
  label,
  isAsking,
  onAgain,
}: {
  label: string;
  isAsking: boolean;
  onAgain: () => void;
}) {
  return (
    <button
      type="button"
      className="button"
      aria-disabled={isAsking}
      onClick={() => !isAsking && onAgain()}
    >
      <Icon name="again" turning={isAsking} />
      {label}
    </button>
  );
}
