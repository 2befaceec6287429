/** The field for the new name of a file, in the place of its name. */
import { useEffect, useRef, useState } from 'react';
import { RenameAttachmentDocument, type AttachmentRowFragment } from '../generated/documents';
import { moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { say } from '../words';
import { endOfStem } from './add-files';
import { replace } from './attachments-query';

export function Rename({
  file,
  containerId,
  onEnd,
}: {
  file: AttachmentRowFragment;
  containerId: string;
  onEnd: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const isSaving = useRef(false);
  const [wrong, setWrong] = useState<string>();
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(0, endOfStem(file.fileName));
  }, []);
  async function save(): Promise<void> {
    const fileName = field.current?.value.trim() ?? '';
    if (fileName === file.fileName || fileName === '') return onEnd();
    if (isSaving.current) return;
    isSaving.current = true;
    try {
      const { updateAttachment } = await moorage.mutate(RenameAttachmentDocument, {
        id: file.id,
        fileName,
      });
      replace(containerId, updateAttachment.attachment);
      onEnd();
    } catch (error) {
      setWrong(reasonOf(error));
      field.current?.focus();
    }
    isSaving.current = false;
  }
  return (
    <div className="rename">
      <input
        ref={field}
        className="inline-field"
        aria-label={say('files.newName')}
        aria-invalid={wrong !== undefined}
        aria-describedby="rename"
        defaultValue={file.fileName}
        maxLength={255}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') onEnd();
          else if (event.key === 'Enter') void save();
        }}
        onBlur={() => {
          if (wrong === undefined) void save();
          else onEnd();
        }}
      />
      <p id="rename" className={wrong ? 'state bad' : 'small soft'} role={wrong && 'alert'}>
        {wrong ?? say('files.renameKeys')}
      </p>
    </div>
  );
}
