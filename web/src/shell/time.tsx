import { exactly, when } from '../words/formats';

export function Time({ of }: { of: string }) {
  return (
    <time dateTime={of} title={exactly(of)}>
      {when(of)}
    </time>
  );
}
