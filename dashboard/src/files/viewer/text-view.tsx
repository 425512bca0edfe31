/** Shows a text file with line numbers; of a long file, only the beginning. */
import { useQuery } from '@tanstack/react-query'
import { readError } from '../../api/error.ts'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useContentSources } from '../../ui/files/content.ts'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { Media } from '../details/media.tsx'
import type { FileAnswer } from '../types.ts'
import { beginningOf, MAX_SHOWN_BYTES } from './text.ts'
import classes from './viewer.module.css'
import { words } from './words.ts'

export function TextView({ file }: { file: FileAnswer }) {
  const w = useWords(words)
  const source = useContentSources().addressOfFile(file.path)
  const { data, error, refetch } = useQuery({
    queryKey: ['inhalt', file.path, file.sha256],
    queryFn: ({ signal }) => readBeginning(source ?? '', signal),
    enabled: source !== undefined,
  })
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (!data) return <TextSkeleton lineCount={8} />
  const { text, lineCount } = beginningOf(data)
  // A null character means that the file is binary, even if its type says that it is text.
  if (text.includes('\0')) return <Media file={file} />
  const showsWholeFile = text.length === data.length && file.size <= MAX_SHOWN_BYTES
  return (
    <div className={classes.paper}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section className={classes.text} aria-label={nameOf(file.path)} tabIndex={0} data-autofocus>
        <pre className={classes.lines} aria-hidden data-testid="lines">
          {Array.from({ length: lineCount }, (_, index) => index + 1).join('\n')}
        </pre>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      {!showsWholeFile && <DimmedText p="xs">{w.onlyStart}</DimmedText>}
    </div>
  )
}

async function readBeginning(source: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(source, { signal, headers: { Range: `bytes=0-${MAX_SHOWN_BYTES - 1}` } })
  if (!response.ok) throw await readError(response)
  // With `stream`, an incomplete character at the end is omitted.
  return new TextDecoder().decode(await response.arrayBuffer(), { stream: true })
}
