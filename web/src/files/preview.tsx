/** A file on the whole window: pictures, PDF, text, sound and film. Nothing of it is executed. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { AttachmentDetailsDocument, type AttachmentRowFragment } from '../generated/documents';
import { moorage } from '../service';
import { Dialog } from '../shell/dialog';
import { Blank, Loading } from '../shell/failure';
import { Icon } from '../shell/icon';
import { Name } from '../shell/name';
import { say } from '../words';
import { downloadAddress, readAddress } from './download';
import { previewOf } from './kinds';
import { TextPreview } from './text-preview';

const PdfPreview = lazy(() => import('./pdf-preview'));

export function PreviewDialog({
  file,
  onClose,
}: {
  file: AttachmentRowFragment;
  onClose: () => void;
}) {
  return (
    <Dialog label={file.fileName} className="preview" onClose={onClose}>
      <div className="preview-head">
        <h2>
          <Name>{file.fileName}</Name>
        </h2>
        <a className="button" href={downloadAddress(file)} download={file.fileName}>
          <Icon name="down" />
          {say('files.download')}
        </a>
        <button type="button" className="round" aria-label={say('app.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div className="preview-body">
        <Suspense fallback={<Loading />}>
          <Content file={file} />
        </Suspense>
      </div>
    </Dialog>
  );
}

function Content({ file }: { file: AttachmentRowFragment }) {
  // An address in the list may be old. This one is new each time.
  const { data, isPending, refetch } = useQuery({
    queryKey: ['preview', file.id],
    queryFn: ({ signal }) => moorage.query(AttachmentDetailsDocument, { id: file.id }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const [failed, setFailed] = useState(false);
  if (isPending) return <Loading />;
  const attachment = data?.attachment;
  if (failed || !attachment)
    return (
      <Blank icon="warn" title={say('preview.failed')}>
        <button
          type="button"
          className="button main"
          onClick={() => {
            setFailed(false);
            void refetch();
          }}
        >
          {say('preview.again')}
        </button>
      </Blank>
    );
  const address = readAddress(attachment);
  const fail = (): void => setFailed(true);
  switch (previewOf({ type: file.contentType, bytes: file.fileSize })) {
    case 'picture':
      return <img src={address} alt={file.fileName} onError={fail} />;
    case 'film':
      return <video src={address} controls aria-label={file.fileName} onError={fail} />;
    case 'sound':
      return <audio src={address} controls aria-label={file.fileName} onError={fail} />;
    case 'pdf':
      return <PdfPreview address={address} fail={fail} />;
    case 'text':
      return <TextPreview address={address} fail={fail} />;
    case 'tooLarge':
      return <Blank icon="file" title={say('preview.tooLarge')} />;
    default:
      return <Blank icon="file" title={say('preview.none')} />;
  }
}
