/** Forms. The service decides what is wrong: its refusals stand at the fields that they name. */
import { MoorageError } from 'moorage-client';
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
} from 'react';
import { reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { say } from '../words';

type Refusals = { [attribute: string]: string };
const Refused = createContext<Refusals>({});

/** What the service says of each member of an input. Empty if the error is about something else. */
function refusalsOf(error: unknown): Refusals {
  if (!(error instanceof MoorageError)) return {};
  const { violations = [] } = error.errors[0]?.extensions ?? {};
  const all =
    violations.length > 0 || error.attribute === undefined
      ? violations
      : [{ attribute: error.attribute, message: error.message }];
  return Object.fromEntries(all.map(({ attribute, message }) => [attribute, message]));
}

/** Texts of a form by the names of its fields. */
export const textsOf = (form: FormData): { [name: string]: string } =>
  Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );

interface FormProps {
  label: string;
  submit: string;
  /** @returns the new `version`, if there is one */
  onSubmit: (form: FormData) => Promise<string | undefined>;
  /** When what the form shows was last changed. */
  version?: string;
  /** Asks the service for the version. */
  ask?: () => Promise<string | undefined>;
  /** Buttons beside the one that sends. */
  beside?: ReactNode;
  children: ReactNode;
}

/** With a version, it does not write over what somebody else has changed meanwhile. */
export function Form({ label, submit, onSubmit, version, ask, beside, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<Refusals>({});
  const [text, setText] = useState<string>();
  const [isSending, setSending] = useState(false);
  /** The version that the fields show. */
  const [base, setBase] = useState(version);
  const [round, setRound] = useState(0);
  const isEdited = useRef(false);
  const isOld = version !== undefined && base !== undefined && version > base;

  // Whoever has entered nothing loses nothing.
  useEffect(() => {
    if (!isOld || isEdited.current) return;
    setBase(version);
    setRound((before) => before + 1);
  }, [isOld, version]);

  useEffect(() => {
    const first = [...(form.current?.querySelectorAll<HTMLElement>('[data-attribute]') ?? [])].find(
      (field) => fields[field.dataset['attribute'] ?? ''] !== undefined,
    );
    first?.focus();
  }, [fields]);

  function refuse(error: unknown): void {
    const refusals = refusalsOf(error);
    const elsewhere = Object.entries(refusals).filter(
      ([name]) => !form.current?.querySelector(`[data-attribute="${CSS.escape(name)}"]`),
    );
    setFields(refusals);
    if (Object.keys(refusals).length === 0) setText(reasonOf(error));
    else if (elsewhere.length > 0) setText(elsewhere.map(([, message]) => message).join(' '));
  }
  async function send(entered: FormData): Promise<void> {
    setSending(true);
    setFields({});
    setText(undefined);
    try {
      const now = await ask?.();
      if (now !== undefined && base !== undefined && now > base) return;
      const next = await onSubmit(entered);
      isEdited.current = false;
      if (next !== undefined) setBase(next);
    } catch (error) {
      refuse(error);
    } finally {
      setSending(false);
    }
  }
  return (
    <form
      key={round}
      ref={form}
      method="post"
      aria-label={label}
      className="admin-form"
      noValidate
      onInput={() => (isEdited.current = true)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending && !isOld) void send(new FormData(event.currentTarget));
      }}
    >
      <Refused value={fields}>{children}</Refused>
      {isOld && (
        <div className="note" role="alert">
          <div>{say('admin.changedMeanwhile')}</div>
          <button
            type="button"
            className="button"
            onClick={() => {
              setBase(version);
              setRound(round + 1);
              setFields({});
              isEdited.current = false;
            }}
          >
            {say('admin.showNew')}
          </button>
          <button type="button" className="button" onClick={() => setBase(version)}>
            {say('admin.keepMine')}
          </button>
        </div>
      )}
      {text && (
        <p className="note bad" role="alert">
          {text}
        </p>
      )}
      <div className="row">
        <button className="button main" aria-disabled={isSending || isOld}>
          {isSending ? say('admin.saving') : submit}
        </button>
        {beside}
      </div>
    </form>
  );
}

interface Described {
  name: string;
  /** What the service calls it in a refusal, if that is another word. */
  attribute?: string;
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value that is stored, and what to do. */
  troubles?: readonly string[];
}

/** What describes a field, and the attributes with which it refers to it. */
function useDescription({ name, attribute = name, hint, troubles = [] }: Omit<Described, 'label'>) {
  const id = useId();
  const refusal = useContext(Refused)[attribute];
  const isWrong = refusal !== undefined || troubles.length > 0;
  return {
    attributes: {
      name,
      'data-attribute': attribute,
      ...(isWrong && { 'aria-invalid': true }),
      ...((isWrong || hint) && { 'aria-describedby': id }),
    },
    description: (isWrong || hint) && (
      <div id={id} className="hints">
        {/* The service writes its reasons in English. */}
        {[...(refusal === undefined ? [] : [refusal]), ...troubles].map((text) => (
          <p key={text} className="state bad" lang="en" dir="auto">
            <Icon name="warn" />
            <span>{text}</span>
          </p>
        ))}
        {hint && <p className="small soft">{hint}</p>}
      </div>
    ),
  };
}

export function Field({
  name,
  attribute,
  label,
  hint,
  troubles,
  ...input
}: Described & InputHTMLAttributes<HTMLInputElement>) {
  const { attributes, description } = useDescription({
    name,
    ...(attribute && { attribute }),
    ...(hint !== undefined && { hint }),
    ...(troubles && { troubles }),
  });
  return (
    <div className="field-and-hints">
      <label className="field">
        {label}
        <input autoComplete="off" dir="auto" {...input} {...attributes} />
      </label>
      {description}
    </div>
  );
}

export function Choice({
  name,
  attribute,
  label,
  hint,
  options,
  defaultValue,
  onChange,
}: Described & {
  options: readonly { value: string; label: string }[];
  defaultValue?: string;
  onChange?: (value: string) => void;
}) {
  const { attributes, description } = useDescription({
    name,
    ...(attribute && { attribute }),
    ...(hint !== undefined && { hint }),
  });
  return (
    <div className="field-and-hints">
      <label className="field">
        {label}
        <select
          {...attributes}
          defaultValue={defaultValue}
          onChange={(event) => onChange?.(event.target.value)}
        >
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {description}
    </div>
  );
}

/** Several of a few. */
export function CheckList({
  name,
  label,
  options,
  checked,
  focus = false,
}: Described & {
  options: readonly { value: string; label: string }[];
  checked: readonly string[];
  focus?: boolean;
}) {
  const { attributes, description } = useDescription({ name });
  const { name: _name, ...described } = attributes;
  return (
    <fieldset className="check-list" tabIndex={-1} {...described}>
      <legend>{label}</legend>
      {options.map(({ value, label }, index) => (
        <label key={value} className="row">
          <input
            type="checkbox"
            name={name}
            value={value}
            defaultChecked={checked.includes(value)}
            autoFocus={focus && index === 0}
          />
          {label}
        </label>
      ))}
      {description}
    </fieldset>
  );
}
