/** The page of shares, which are links to folders. `?neu=items` opens the dialog for that folder. */
import { Text } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { ShareOnWire } from '../../../../src/contract/shares.ts'
import { del } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useLast } from '../../hooks/use-last.ts'
import { text, useSearchState } from '../../hooks/use-search-state.ts'
import { useWords } from '../../language/language.tsx'
import { SignButton } from '../../parts/buttons.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { flatFolders } from '../../parts/folder-list.ts'
import { useNotify } from '../../parts/notify.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Quiet } from '../../parts/quiet.tsx'
import { RowsSkeleton } from '../../parts/skeletons.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { ShareCard } from './share-card.tsx'
import classes from './shares.module.css'
import { words } from './words.ts'

const SEARCH = { neu: text('') }
const CARD_HEIGHT = 128

export default function SharesPage() {
  const w = useWords(words)
  const { data, error, refetch } = useGet('freigaben')
  const { data: tree } = useGet('folders')
  const folders = useMemo(
    () => tree && new Map(flatFolders(tree).map(folder => [folder.pfad, folder])),
    [tree],
  )
  const [{ neu }, setSearch] = useSearchState(SEARCH)
  const [creating, setCreating] = useState(neu !== '')
  const [leaving, setLeaving] = useState<ShareOnWire | null>(null)
  const create = (
    <SignButton icon={IconShare2} label={w.create} signSize={18} onClick={() => setCreating(true)} />
  )
  return (
    <>
      <PageHeader title={w.title} description={w.description}>
        {data && data.length > 0 && create}
      </PageHeader>
      <ErrorNotice error={error} onRetry={refetch} />
      {!data && !error && <RowsSkeleton rows={3} height={CARD_HEIGHT} />}
      {data && data.length === 0 && (
        <EmptyState icon={IconShare2} title={w.empty} description={w.whatItDoes}>
          {create}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <>
          <Quiet maw={720} mb="md">
            {w.whatItDoes}
          </Quiet>
          <ul className={classes.list} aria-label={w.title}>
            {data.map(share => (
              <ShareCard
                key={share.schluessel}
                share={share}
                folder={folders && (folders.get(share.ordner) ?? null)}
                onWithdraw={() => setLeaving(share)}
              />
            ))}
          </ul>
        </>
      )}
      <CreateDialog
        opened={creating}
        folder={neu}
        onClose={() => {
          setCreating(false)
          if (neu !== '') setSearch({ neu: '' }, { replace: true })
        }}
      />
      <WithdrawDialog share={leaving} onClose={() => setLeaving(null)} />
    </>
  )
}

function WithdrawDialog({ share, onClose }: { share: ShareOnWire | null; onClose(): void }) {
  const w = useWords(words)
  const shown = useLast(share)
  const notify = useNotify()
  const refresh = useRefresh()
  const withdraw = async () => {
    if (!share) return
    await del('freigaben', { query: { schluessel: share.schluessel } })
    notify.done(w.withdrawn)
    await refresh('freigaben')
  }
  return (
    <ConfirmDialog
      opened={share !== null}
      onClose={onClose}
      title={w.withdrawTitle(shown?.ordner ?? '')}
      confirm={w.withdraw}
      onConfirm={withdraw}
    >
      <Text mb="xs">{w.withdrawLoss}</Text>
      <Text>{w.filesStay}</Text>
    </ConfirmDialog>
  )
}
