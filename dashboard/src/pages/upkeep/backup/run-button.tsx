/** The button that starts a backup. */
import { Button } from '@mantine/core'
import { useWords } from '../../../language/language.tsx'
import type { BackupQuery } from './use-backup.ts'
import { backupWords } from './words.ts'

export function RunButton({ backupQuery: { data, startMutation } }: { backupQuery: BackupQuery }) {
  const w = useWords(backupWords)
  const isRunning = data?.laeuft ?? false
  return (
    <Button
      loading={startMutation.isPending}
      disabled={!data || isRunning}
      onClick={() => startMutation.mutate()}
    >
      {isRunning ? w.running : w.run}
    </Button>
  )
}
