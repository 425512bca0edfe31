/**
 * The page of shares, which are links to folders, and of drop links, with which others upload.
 * `?neu=<folder>` opens the dialog that creates a share of that folder.
 */
import { Text } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { ShareOnWire } from '../../../../src/contract/files/shares.ts'
import { del } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { textParameter, useSearchState } from '../../state/use-search-state.ts'
import { ButtonWithIcon } from '../../ui/buttons.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { type DialogState, useDialog } from '../../ui/forms/dialog.tsx'
import { flattenFolders } from '../../ui/forms/folder-list.ts'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { DropsSection } from '../drops/section.tsx'
import { CreateShareDialog } from './create-dialog.tsx'
import { ChangeExpiryDialog } from './end-dialog.tsx'
import { ShareCard } from './share-card.tsx'
import classes from './shares.module.css'
import { words } from './words.ts'

const SHARES_PARAMETERS = { neu: textParameter('') }
const CARD_HEIGHT = 128

export default function SharesPage() {
  const w = useWords(words)
  const sharesQuery = useGet('freigaben')
  const { data: folderTree } = useGet('folders')
  const foldersByPath = useMemo(
    () => folderTree && new Map(flattenFolders(folderTree).map(folder => [folder.pfad, folder])),
    [folderTree],
  )
  const [{ neu }, setSearch] = useSearchState(SHARES_PARAMETERS)
  const [isCreating, setCreating] = useState(neu !== '')
  const withdrawDialog = useDialog<ShareOnWire>()
  const changeEndDialog = useDialog<ShareOnWire>()
  const createButton = (
    <ButtonWithIcon icon={IconShare2} label={w.create} iconSize={18} onClick={() => setCreating(true)} />
  )
  return (
    <>
      <PageHeader title={w.shares} description={w.description}>
        {sharesQuery.data && sharesQuery.data.length > 0 && createButton}
      </PageHeader>
      <QueryResult query={sharesQuery} skeleton={<RowsSkeleton rows={3} height={CARD_HEIGHT} />}>
        {shares =>
          shares.length === 0 ? (
            <EmptyState icon={IconShare2} title={w.empty} description={w.whatItDoes}>
              {createButton}
            </EmptyState>
          ) : (
            <>
              <DimmedText maw={720} mb="md">
                {w.whatItDoes}
              </DimmedText>
              <ul className={classes.list} aria-label={w.shares}>
                {shares.map(share => (
                  <ShareCard
                    key={share.schluessel}
                    share={share}
                    folder={foldersByPath && (foldersByPath.get(share.ordner) ?? null)}
                    onChange={() => changeEndDialog.open(share)}
                    onWithdraw={() => withdrawDialog.open(share)}
                  />
                ))}
              </ul>
            </>
          )
        }
      </QueryResult>
      <CreateShareDialog
        opened={isCreating}
        folder={neu}
        onClose={() => {
          setCreating(false)
          if (neu !== '') setSearch({ neu: '' }, { replace: true })
        }}
      />
      <ChangeExpiryDialog state={changeEndDialog} />
      <WithdrawDialog dialog={withdrawDialog} />
      <DropsSection />
    </>
  )
}

function WithdrawDialog({ dialog }: { dialog: DialogState<ShareOnWire> }) {
  const w = useWords(words)
  const { ordner = '', schluessel = '' } = dialog.subject ?? {}
  return (
    <ConfirmDialog
      {...dialog}
      title={w.withdrawTitle(ordner)}
      confirmLabel={w.withdraw}
      onConfirm={() => del('freigaben', { query: { schluessel } })}
      successMessage={w.withdrawn}
      refresh={['freigaben']}
    >
      <Text mb="xs">{w.withdrawLoss}</Text>
      <Text>{w.filesStay}</Text>
    </ConfirmDialog>
  )
}
