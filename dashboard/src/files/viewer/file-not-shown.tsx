/**
 * Shows why the browser could not display a file. For a picture in a format that not every browser supports,
 * it also shows the preview, if there is one.
 */
import { Stack, Text } from '@mantine/core'
import { IconPhotoOff, IconPhotoUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { mediaTypeEssence } from '../../../../src/contract/paths/kinds.ts'
import { readError } from '../../api/error.ts'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useContentSources } from '../../ui/files/content.ts'
import { KIND_ICONS } from '../../ui/files/file-preview.tsx'
import { previewPollDelay } from '../listing/use-listing.ts'
import type { FileAnswer } from '../types.ts'
import { detailsWords } from '../words.ts'
import type { ViewerContentProps } from './content-props.ts'
import { StageNote } from './note.tsx'
import { Picture } from './picture.tsx'
import classes from './viewer.module.css'
import { words } from './words.ts'

/** Formats that every current browser supports: a file in one of them that cannot be shown is damaged. */
const UNIVERSAL_FORMATS = /^image\/(?:jpeg|png|apng|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/

export function FileNotShown({ file, keyHandlerRef, onRetry }: ViewerContentProps & { onRetry(): void }) {
  const w = useWords(words)
  const sources = useContentSources()
  const source = sources.addressOfFile(file.path)
  const { error, isSuccess } = useQuery({
    queryKey: ['da', file.path, file.sha256],
    queryFn: ({ signal }) => checkReachable(source ?? '', signal),
    staleTime: 0,
    retry: false,
  })
  const previewAddress = sources.addressOfPreview(file)
  if (error) return <ErrorNotice error={error} onRetry={onRetry} />
  if (!isSuccess) return null
  if (file.art !== 'bilder' || hasUniversalFormat(file) || previewAddress === null)
    return <NotShownReason file={file} />
  return (
    <>
      <Picture file={file} address={previewAddress} keyHandlerRef={keyHandlerRef} onFail={() => {}} />
      <StageNote>{w.foreignFormat}</StageNote>
    </>
  )
}

const hasUniversalFormat = ({ mime }: FileAnswer) => UNIVERSAL_FORMATS.test(mediaTypeEssence(mime))

function NotShownReason({ file }: { file: FileAnswer }) {
  const w = useWords(words)
  const { cannotPlay, noPreview } = useWords(detailsWords)
  // While a preview is pending, the list is refetched, so the text about it disappears without a reload.
  const isPreviewPending = previewPollDelay([file], Date.now()) !== false
  const [ReasonIcon, text] =
    file.art !== 'bilder'
      ? [KIND_ICONS[file.art], cannotPlay]
      : hasUniversalFormat(file)
        ? [IconPhotoOff, w.damaged]
        : isPreviewPending
          ? [IconPhotoUp, w.beingMade]
          : [KIND_ICONS.bilder, noPreview]
  return (
    <Stack className={classes.media} align="center" gap="xs" role="status">
      <ReasonIcon size={72} stroke={1} aria-hidden />
      <Text size="sm">{text}</Text>
    </Stack>
  )
}

/**
 * Checks that the content can be fetched. If not, it throws the error of the request, which is shown instead
 * of the statement that the file is damaged.
 */
async function checkReachable(source: string, signal: AbortSignal): Promise<true> {
  const response = await fetch(source, { method: 'HEAD', signal })
  if (!response.ok) throw await readError(response)
  return true
}
