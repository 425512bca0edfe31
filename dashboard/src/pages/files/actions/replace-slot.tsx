/** The dialog of search and replace, fetched when it is wanted: most visits do without it. */
import { lazy, Suspense } from 'react'

const ReplaceDialog = lazy(async () => {
  const { ReplaceDialog: Dialog } = await import('../replace/replace-dialog.tsx')
  return { default: Dialog }
})

export interface ReplaceSlotProps {
  folder: string
  /** Only these; without them, all below the folder. */
  paths: readonly string[] | undefined
  onClose(): void
}

export function ReplaceSlot({ folder, paths, onClose }: ReplaceSlotProps) {
  return (
    <Suspense fallback={null}>
      <ReplaceDialog ordner={folder} {...(paths && { pfade: paths })} onClose={onClose} />
    </Suspense>
  )
}
