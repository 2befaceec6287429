import { useState } from 'react';
import { CreateFolderDocument } from '../generated/documents';
import { moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { say } from '../words';

export function NewFolder({
  storageId,
  parent,
  onDone,
}: {
  storageId: string;
  parent: string;
  onDone: () => void;
}) {
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string>();
  async function create(): Promise<void> {
    try {
      await moorage.mutate(CreateFolderDocument, { storageId, parent, name });
      onDone();
    } catch (error) {
      setWrong(reasonOf(error));
    }
  }
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <label className="field">
        {say('folder.newName')}
        <input
          autoFocus
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <button className="button main">{say('folder.create')}</button>
      <button type="button" className="button" onClick={onDone}>
        {say('app.cancel')}
      </button>
      {wrong && (
        <p className="state bad" role="alert">
          {wrong}
        </p>
      )}
    </form>
  );
}
