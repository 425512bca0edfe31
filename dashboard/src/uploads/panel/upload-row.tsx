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
import { MiddleCut } from '../../ui/files/middle-cut.tsx'
import { pathWords } from '../../ui/files/path-words.ts'
import { canOverwrite, canRetry, isActive, type Problem, type UploadItem } from '../queue/queue-state.ts'
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
  const { job, stage, sent, problem, refused } = item
  const state = stage === 'stored' && refused.length > 0 ? 'refused' : stage
  const StateIcon = STATE_ICONS[state]
  return (
    <div className={classes.row} data-stage={state}>
      <StateIcon size={20} stroke={1.75} aria-hidden className={classes.sign} />
      <div className={classes.facts}>
        <MiddleCut>{job.name}</MiddleCut>
        <UploadFacts item={item} />
        {stage === 'running' && (
          <Progress.Root size={4} mt={4}>
            <Progress.Section value={(sent / job.file.size) * 100} aria-label={job.name} />
          </Progress.Root>
        )}
        {problem && <ProblemText problem={problem} />}
        {refused.length > 0 && <RefusedEntries item={item} />}
        {canOverwrite(item) && <OverwriteButton id={item.id} />}
      </div>
      <RowActions item={item} />
    </div>
  )
}

/**
 * A link to the stored file, the number of files of an unpacked archive, or the progress, state, size or
 * target of the upload.
 */
function UploadFacts({ item: { job, stage, sent, stored } }: { item: UploadItem }) {
  const { w, format } = useTexts(words)
  const size = format.bytes(job.file.size)
  const [firstFile] = stored
  if (stage === 'stored' && job.archive) {
    return <FactLine>{w.unpacked(stored.length, format.number(stored.length))}</FactLine>
  }
  if (stage === 'stored' && firstFile) {
    return (
      <Anchor href={firstFile.url} target="_blank" rel="noreferrer" size="xs" className={classes.line}>
        <MiddleCut>{firstFile.path}</MiddleCut>
      </Anchor>
    )
  }
  if (stage === 'running') {
    const isSent = sent === job.file.size
    return (
      <FactLine>
        {isSent ? (job.archive ? w.unpacking : w.storing) : w.ofTotal(format.bytes(sent), size)}
      </FactLine>
    )
  }
  if (stage === 'omitted') return <FactLine>{size}</FactLine>
  if (stage === 'cancelled') return <FactLine>{`${w.cancelled} · ${size}`}</FactLine>
  if (stage === 'waiting') return <FactLine>{`${job.archive ? w.archive : w.waiting} · ${size}`}</FactLine>
  return <FactLine>{job.target}</FactLine>
}

function FactLine({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" component="div" className={classes.line}>
      <MiddleCut>{children}</MiddleCut>
    </Text>
  )
}

function ProblemText({ problem }: { problem: Problem }) {
  const textOf = useProblemText()
  return (
    <Text size="xs" c="var(--fundus-bad)">
      {textOf(problem)}
    </Text>
  )
}

function useProblemText(): (problem: Problem) => string {
  const { w, format } = useTexts(words)
  const faultTexts = useWords(pathWords)
  const serviceText = useServiceText()
  return problem => {
    if ('sentence' in problem) return serviceText(problem.sentence, problem.code)
    if (problem.cause === 'path') return faultTexts[problem.fault]
    return problem.cause === 'large' ? w.large(format.bytes(problem.maxBytes)) : w[problem.cause]
  }
}

function RefusedEntries({ item: { refused } }: { item: UploadItem }) {
  const { w, format } = useTexts(words)
  const serviceText = useServiceText()
  const moreCount = refused.length - MAX_REFUSED_SHOWN
  return (
    <>
      <Text size="xs" c="var(--fundus-bad)">
        {w.unpackedRefused(format.number(refused.length))}
      </Text>
      {refused.slice(0, MAX_REFUSED_SHOWN).map(({ name, grund, code }) => (
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
  const { id, job, stored } = item
  return (
    <div className={classes.buttons}>
      {stored.length > 0 && (
        <CopyButton compact value={() => stored.map(({ url }) => url).join('\n')} label={w.copyAddress} />
      )}
      {canRetry(item) && !job.archive && (
        <IconButton icon={IconRefresh} label={w.retryOne(job.name)} onClick={() => uploadQueue.retry([id])} />
      )}
      {isActive(item) && (
        <IconButton icon={IconX} label={w.cancelOne(job.name)} onClick={() => uploadQueue.cancel([id])} />
      )}
    </div>
  )
}
