/**
 * The section of the integrity check: a button that starts it, progress and findings. The check compares all
 * files, including those in the trash, with their checksums.
 */
import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { IntegrityAnswer } from '../../../../src/contract/service/maintenance.ts'
import { post } from '../../api/client.ts'
import { useEvents } from '../../api/events.tsx'
import { queryKeyOf, useGet } from '../../api/use-get.ts'
import { refreshQueries } from '../../api/use-refresh.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { useProgressEstimate } from '../../ui/charts/meter.ts'
import { ProgressBar } from '../../ui/charts/progress-bar.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { Findings } from './findings.tsx'
import { StateLine } from './state-line.tsx'
import { TaskSection } from './task-section.tsx'
import { integrityWords } from './words.ts'

const INTEGRITY_ROUTE = 'maintenance/integritaet'
const POLL_INTERVAL_MS = 2_000

function useIntegrity() {
  const queryClient = useQueryClient()
  const queryKey = queryKeyOf(INTEGRITY_ROUTE)
  const query = useGet(INTEGRITY_ROUTE, {
    refetchInterval: answer => (answer?.laeuft ? POLL_INTERVAL_MS : false),
  })
  const checkMutation = useMutation({
    mutationFn: () => post(INTEGRITY_ROUTE),
    onSuccess: answer => queryClient.setQueryData(queryKey, answer),
  })
  // Refetches the state if a check is running that this window does not know about, such as one that was
  // started in another window.
  useEvents('fortschritt', ({ aufgabe, fertig }) => {
    if (aufgabe === 'integritaet' && !fertig && !query.data?.laeuft)
      void refreshQueries(queryClient, { queryKey })
  })
  return { query, checkMutation }
}

export function IntegritySection() {
  const w = useWords(integrityWords)
  const { query, checkMutation } = useIntegrity()
  const { data, error, refetch } = query
  const isRunning = data?.laeuft ?? false
  return (
    <TaskSection
      icon={IconShieldCheck}
      title={w.title}
      description={w.description}
      action={
        <Button
          variant="default"
          loading={checkMutation.isPending}
          disabled={isRunning}
          onClick={() => checkMutation.mutate()}
        >
          {isRunning ? w.runningButton : w.start}
        </Button>
      }
      state={data && <IntegrityState answer={data} />}
      note={data && <IntegrityNote answer={data} />}
    >
      {!data && !error && <TextSkeleton lineCount={1} />}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      <ErrorNotice error={checkMutation.error} />
      {data && isRunning && <ReadingProgress answer={data} />}
      {data && data.befunde.length > 0 && <Findings answer={data} />}
    </TaskSection>
  )
}

function IntegrityState({ answer: { befunde, weitere, geprueft_bis } }: { answer: IntegrityAnswer }) {
  const { w, format } = useTexts(integrityWords)
  const count = befunde.length + weitere
  if (count > 0) return <StateLine kind="bad">{w.findings(count, format.number(count))}</StateLine>
  if (geprueft_bis === null) return <StateLine kind="plain">{w.never}</StateLine>
  return <StateLine kind="good">{w.fine}</StateLine>
}

function IntegrityNote({ answer: { geprueft_bis, runde, laeuft } }: { answer: IntegrityAnswer }) {
  const { w, format } = useTexts(integrityWords)
  const { seit, gelesen, gesamt } = runde
  return (
    <>
      {geprueft_bis !== null && (
        <div>
          {w.checked} <RelativeTime timestamp={geprueft_bis} />
        </div>
      )}
      {seit !== null && !laeuft && w.round(format.number(gelesen.dateien), format.number(gesamt.dateien))}
    </>
  )
}

function ReadingProgress({ answer: { runde } }: { answer: IntegrityAnswer }) {
  const { w, format } = useTexts(integrityWords)
  const { gelesen, gesamt } = runde
  const estimate = useProgressEstimate(gelesen.bytes, gesamt.bytes)
  return (
    <ProgressBar
      label={w.running}
      done={gelesen.bytes}
      total={gesamt.bytes}
      progressText={w.files(format.number(gelesen.dateien), format.number(gesamt.dateien))}
      {...estimate}
    />
  )
}
