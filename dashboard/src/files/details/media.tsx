/** Shows the content of a file: a picture, a player, or the icon of its kind. */
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useContentSources } from '../../ui/files/content.ts'
import { type FilePreviewProps, KIND_ICONS } from '../../ui/files/file-preview.tsx'
import type { FileAnswer } from '../types.ts'
import { detailsWords } from '../words.ts'
import classes from './details.module.css'

export function Media({ file }: { file: FileAnswer }) {
  const contentAddress = useContentSources().addressOfFile(file.path)
  return <MediaContent file={file} id={`${file.id} ${file.sha256}`} contentAddress={contentAddress} />
}

interface MediaContentProps {
  file: FilePreviewProps['file']
  /** Identifies the content. After a failure, content with another id is tried anew. */
  id: string
  /** The address of the content; undefined while it is not known. */
  contentAddress: string | undefined
  /**
   * Whether to show the picture itself. By default its preview is shown, if it has one, because that loads
   * faster.
   */
  showsOriginal?: boolean
}

export function MediaContent({ file, id, contentAddress, showsOriginal = false }: MediaContentProps) {
  const w = useWords(detailsWords)
  const sources = useContentSources()
  const [failedId, setFailedId] = useState<string | null>(null)
  const markFailed = () => setFailedId(id)
  const previewAddress = sources.addressOfPreview(file)
  if (failedId === id)
    return <KindIcon file={file} text={file.art === 'bilder' ? w.noPreview : w.cannotPlay} />
  if (file.art === 'video') {
    return (
      <video
        key={id}
        className={classes.player}
        src={contentAddress}
        controls
        preload="metadata"
        {...(previewAddress !== null && { poster: previewAddress })}
        onError={markFailed}
      />
    )
  }
  if (file.art === 'audio') {
    return (
      <>
        <KindIcon file={file} />
        {/* biome-ignore lint/a11y/useMediaCaption: captions of other people's sounds do not exist */}
        <audio
          key={id}
          className={classes.sound}
          src={contentAddress}
          controls
          preload="metadata"
          onError={markFailed}
        />
      </>
    )
  }
  if (file.art !== 'bilder') return <KindIcon file={file} text={w.noPreview} />
  const pictureAddress = showsOriginal ? contentAddress : (previewAddress ?? contentAddress)
  return (
    <img
      key={`${id} ${pictureAddress}`}
      className={classes.picture}
      src={pictureAddress}
      alt={nameOf(file.path)}
      onError={markFailed}
    />
  )
}

function KindIcon({ file, text }: { file: MediaContentProps['file']; text?: string }) {
  const Icon = KIND_ICONS[file.art]
  return (
    <div className={classes.nothing}>
      <Icon size={72} stroke={1} aria-hidden />
      {text && <Text size="sm">{text}</Text>}
    </div>
  )
}
