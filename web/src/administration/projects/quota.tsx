/** The most that the files of a project may use: a number, and its unit. */
import { say } from '../../words';
import { unitName } from '../../words/formats';
import { Choice, Field, textsOf } from '../form';

/** Powers of 1,000 bytes. */
const UNITS = [2, 3, 4];

/** The largest unit of which there is one at least, with three digits behind the point at most. */
const unitOf = (bytes: number): number =>
  UNITS.findLast((power) => bytes >= 1_000 ** power && bytes % 1_000 ** (power - 1) === 0) ?? 2;

/** @returns bytes, or null for no limit. What is no number goes to the service, which refuses it. */
export function quotaOf(form: FormData): number | null {
  const { storageQuota = '', unit } = textsOf(form);
  if (storageQuota.trim() === '') return null;
  const bytes = Number(storageQuota) * 1_000 ** Number(unit);
  if (!Number.isFinite(bytes)) return -1;
  // Less than a byte would become 0, which allows no file.
  return bytes < 1 ? bytes : Math.round(bytes);
}

export function Quota({ bytes }: { bytes: number | null }) {
  const unit = bytes === null || bytes === 0 ? 3 : unitOf(bytes);
  return (
    <div className="form-2">
      <Field
        name="storageQuota"
        inputMode="decimal"
        dir="ltr"
        label={say('projects.quota')}
        hint={say('projects.quotaHint')}
        defaultValue={bytes === null ? '' : String(bytes / 1_000 ** unit)}
      />
      <Choice
        name="unit"
        label={say('projects.quotaUnit')}
        defaultValue={String(unit)}
        options={UNITS.map((power) => ({ value: String(power), label: unitName(power) }))}
      />
    </div>
  );
}
