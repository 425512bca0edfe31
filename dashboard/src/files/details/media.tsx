/** Shows the content of a file: a picture, a player, or the icon of its kind. */
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useContentSources } from '../../ui/files/content.ts'
import { type FilePreviewProps, KIND_ICONS } from '../../ui/files/file-preview.tsx'
import type { FileAnswer } from '../types.ts'
import { drawerWords } from '../words.ts'
import classes from './details.module.css'

export function Media({ file }: { file: FileAnswer }) {
  const content = useContentSources().file(file.path)
  return <MediaContent file={file} id={`${file.id} ${file.sha256}`} content={content} />
}

interface MediaContentProps {
  file: FilePreviewProps['file']
  /** An id of the content: other content has another id. */
  id: string
  /** The address of the content; undefined while it is not known. */
  content: string | undefined
  /** Whether to show the picture itself instead of its preview, which loads faster. */
  large?: boolean
}

export function MediaContent({ file, id, content, large = false }: MediaContentProps) {
  const w = useWords(drawerWords)
  const sources = useContentSources()
  const [failed, setFailed] = useState<string | null>(null)
  const fail = () => setFailed(id)
  const preview = sources.preview(file)
  if (failed === id) return <NoMedia file={file} text={file.art === 'bilder' ? w.noPreview : w.cannotPlay} />
  if (file.art === 'video') {
    return (
      <video
        key={id}
        className={classes.player}
        src={content}
        controls
        preload="metadata"
        {...(preview !== null && { poster: preview })}
        onError={fail}
      />
    )
  }
  if (file.art === 'audio') {
    return (
      <>
        <NoMedia file={file} />
        {/* biome-ignore lint/a11y/useMediaCaption: captions of other people's sounds do not exist */}
        <audio key={id} className={classes.sound} src={content} controls preload="metadata" onError={fail} />
      </>
    )
  }
  if (file.art !== 'bilder') return <NoMedia file={file} text={w.noPreview} />
  const source = large ? content : (preview ?? content)
  return (
    <img
      key={`${id} ${source}`}
      className={classes.picture}
      src={source}
      alt={nameOf(file.path)}
      onError={fail}
    />
  )
}

function NoMedia({ file, text }: { file: MediaContentProps['file']; text?: string }) {
  const Sign = KIND_ICONS[file.art]
  return (
    <div className={classes.nothing}>
      <Sign size={72} stroke={1} aria-hidden />
      {text && <Text size="sm">{text}</Text>}
    </div>
  )
}
