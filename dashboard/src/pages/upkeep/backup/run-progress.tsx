/** The progress of the running backup; renders nothing while no backup runs. */
import type { BackupState } from '../../../../../src/contract/service/backup.ts'
import { useTexts } from '../../../language/language.tsx'
import { useProgressEstimate } from '../../../ui/charts/meter.ts'
import { ProgressBar } from '../../../ui/charts/progress-bar.tsx'
import { backupWords } from './words.ts'

export function RunProgress({ state }: { state: BackupState }) {
  const { w, format } = useTexts(backupWords)
  const { fortschritt } = state
  const estimate = useProgressEstimate(fortschritt?.erledigt ?? null, fortschritt?.gesamt ?? null)
  if (!fortschritt) return null
  const { schritt, erledigt, gesamt } = fortschritt
  return (
    <ProgressBar
      label={w[schritt]}
      done={erledigt}
      total={gesamt}
      progressText={gesamt === null || gesamt === 0 ? '' : format.percent(Math.min(1, erledigt / gesamt))}
      {...estimate}
    />
  )
}
