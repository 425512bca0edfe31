/** The file itself: a picture, a player, or the icon of its kind. */
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useContentSources } from '../../ui/files/content.ts'
import { KIND_ICONS } from '../../ui/files/file-preview.tsx'
import type { FileAnswer } from '../types.ts'
import { drawerWords } from '../words.ts'
import classes from './details.module.css'

/** A picture is shown by its preview, which loads faster. */
export function Media({ file }: { file: FileAnswer }) {
  const w = useWords(drawerWords)
  const sources = useContentSources()
  const [failed, setFailed] = useState<string | null>(null)
  const key = `${file.id} ${file.sha256}`
  const fail = () => setFailed(key)
  const whole = sources.file(file.path)
  const preview = sources.preview(file)
  if (failed === key) return <NoMedia file={file} text={file.art === 'bilder' ? w.noPreview : w.cannotPlay} />
  if (file.art === 'video') {
    return (
      <video
        key={key}
        className={classes.player}
        src={whole}
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
        <audio key={key} className={classes.sound} src={whole} controls preload="metadata" onError={fail} />
      </>
    )
  }
  if (file.art !== 'bilder') return <NoMedia file={file} text={w.noPreview} />
  const source = preview ?? whole
  return (
    <img
      key={`${key} ${source}`}
      className={classes.picture}
      src={source}
      alt={nameOf(file.path)}
      onError={fail}
    />
  )
}

function NoMedia({ file, text }: { file: FileAnswer; text?: string }) {
  const Sign = KIND_ICONS[file.art]
  return (
    <div className={classes.nothing}>
      <Sign size={72} stroke={1} aria-hidden />
      {text && <Text size="sm">{text}</Text>}
    </div>
  )
}
