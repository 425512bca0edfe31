/** The button that starts a backup. */
import { Button } from '@mantine/core'
import { useWords } from '../../../language/language.tsx'
import type { BackupQuery } from './use-backup.ts'
import { backupWords } from './words.ts'

export function RunButton({ backup: { data, start } }: { backup: BackupQuery }) {
  const w = useWords(backupWords)
  const isRunning = data?.laeuft ?? false
  return (
    <Button loading={start.isPending} disabled={!data || isRunning} onClick={() => start.mutate()}>
      {isRunning ? w.running : w.run}
    </Button>
  )
}
