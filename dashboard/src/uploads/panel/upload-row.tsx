/** A row of the upload panel: name, target, progress and outcome of one upload. */
import { Anchor, Button, Progress, Text } from '@mantine/core'
import {
  IconAlertCircle,
  IconCircleCheck,
  IconCircleMinus,
  IconClock,
  IconRefresh,
  IconUpload,
  IconX,
} from '@tabler/icons-react'
import { useTexts, useWords } from '../../language/language.tsx'
import { useServiceText } from '../../language/service-text.ts'
import { IconButton } from '../../ui/buttons.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { pathWords } from '../../ui/files/path-words.ts'
import {
  canOverwrite,
  canRetry,
  isActive,
  type UploadItem,
  type UploadProblem,
} from '../queue/queue-state.ts'
import classes from '../uploads.module.css'
import { uploadQueue } from '../uploads.ts'
import { words } from '../words.ts'

/** Maximum number of refused entries of an archive that are listed; the others are only counted. */
const MAX_REFUSED_SHOWN = 3

const STATE_ICONS = {
  waiting: IconClock,
  running: IconUpload,
  stored: IconCircleCheck,
  refused: IconAlertCircle,
  cancelled: IconCircleMinus,
  omitted: IconCircleMinus,
}

export function UploadRow({ item }: { item: UploadItem }) {
  const { job, stage, sentBytes, problem, refusedEntries } = item
  const state = stage === 'stored' && refusedEntries.length > 0 ? 'refused' : stage
  const StateIcon = STATE_ICONS[state]
  return (
    <div className={classes.row} data-stage={state}>
      <StateIcon size={20} stroke={1.75} aria-hidden className={classes.sign} />
      <div className={classes.facts}>
        <MiddleTruncatedText>{job.name}</MiddleTruncatedText>
        <UploadDetails item={item} />
        {stage === 'running' && (
          <Progress.Root size={4} mt={4}>
            <Progress.Section value={(sentBytes / job.file.size) * 100} aria-label={job.name} />
          </Progress.Root>
        )}
        {problem && <ProblemText problem={problem} />}
        {refusedEntries.length > 0 && <RefusedEntries item={item} />}
        {canOverwrite(item) && <OverwriteButton id={item.id} />}
      </div>
      <RowActions item={item} />
    </div>
  )
}

/**
 * Depending on the stage: a link to the stored file, the number of files of an unpacked archive, or the
 * progress, state, size or target of the upload.
 */
function UploadDetails({ item: { job, stage, sentBytes, storedFiles } }: { item: UploadItem }) {
  const { w, format } = useTexts(words)
  const size = format.bytes(job.file.size)
  const [firstFile] = storedFiles
  if (stage === 'stored' && job.isZipArchive) {
    return <DetailLine>{w.unpacked(storedFiles.length, format.number(storedFiles.length))}</DetailLine>
  }
  if (stage === 'stored' && firstFile) {
    return (
      <Anchor href={firstFile.url} target="_blank" rel="noreferrer" size="xs" className={classes.line}>
        <MiddleTruncatedText>{firstFile.path}</MiddleTruncatedText>
      </Anchor>
    )
  }
  if (stage === 'running') {
    const isSent = sentBytes === job.file.size
    return (
      <DetailLine>
        {isSent ? (job.isZipArchive ? w.unpacking : w.storing) : w.ofTotal(format.bytes(sentBytes), size)}
      </DetailLine>
    )
  }
  if (stage === 'omitted') return <DetailLine>{size}</DetailLine>
  if (stage === 'cancelled') return <DetailLine>{`${w.cancelled} · ${size}`}</DetailLine>
  if (stage === 'waiting')
    return <DetailLine>{`${job.isZipArchive ? w.archive : w.waiting} · ${size}`}</DetailLine>
  return <DetailLine>{job.target}</DetailLine>
}

function DetailLine({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" component="div" className={classes.line}>
      <MiddleTruncatedText>{children}</MiddleTruncatedText>
    </Text>
  )
}

function ProblemText({ problem }: { problem: UploadProblem }) {
  const textOf = useProblemText()
  return (
    <Text size="xs" c="var(--fundus-bad)">
      {textOf(problem)}
    </Text>
  )
}

function useProblemText(): (problem: UploadProblem) => string {
  const { w, format } = useTexts(words)
  const faultTexts = useWords(pathWords)
  const serviceText = useServiceText()
  return problem => {
    if ('sentence' in problem) return serviceText(problem.sentence, problem.code)
    if (problem.cause === 'path') return faultTexts[problem.fault]
    return problem.cause === 'large' ? w.large(format.bytes(problem.maxBytes)) : w[problem.cause]
  }
}

function RefusedEntries({ item: { refusedEntries } }: { item: UploadItem }) {
  const { w, format } = useTexts(words)
  const serviceText = useServiceText()
  const moreCount = refusedEntries.length - MAX_REFUSED_SHOWN
  return (
    <>
      <Text size="xs" c="var(--fundus-bad)">
        {w.unpackedRefused(format.number(refusedEntries.length))}
      </Text>
      {refusedEntries.slice(0, MAX_REFUSED_SHOWN).map(({ name, grund, code }) => (
        <Text size="xs" key={name} className={classes.entry}>
          {name}: {serviceText(grund, code)}
        </Text>
      ))}
      {moreCount > 0 && (
        <Text size="xs" c="dimmed">
          {w.andMore(format.number(moreCount))}
        </Text>
      )}
    </>
  )
}

function OverwriteButton({ id }: { id: number }) {
  const w = useWords(words)
  return (
    <Button size="compact-xs" variant="default" mt={4} onClick={() => uploadQueue.retry([id], true)}>
      {w.overwriteRefused}
    </Button>
  )
}

function RowActions({ item }: { item: UploadItem }) {
  const w = useWords(words)
  const { id, job, storedFiles } = item
  return (
    <div className={classes.buttons}>
      {storedFiles.length > 0 && (
        <CopyButton
          showsOnlyIcon
          value={() => storedFiles.map(({ url }) => url).join('\n')}
          label={w.copyAddress}
        />
      )}
      {canRetry(item) && !job.isZipArchive && (
        <IconButton icon={IconRefresh} label={w.retryOne(job.name)} onClick={() => uploadQueue.retry([id])} />
      )}
      {isActive(item) && (
        <IconButton icon={IconX} label={w.cancelOne(job.name)} onClick={() => uploadQueue.cancel([id])} />
      )}
    </div>
  )
}
