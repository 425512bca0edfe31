/** The section of drop links on the page of shares: lists, creates and ends them. */
import { Text, Title } from '@mantine/core'
import { IconInbox, IconLinkOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { DropOnWire } from '../../../../src/contract/files/drops.ts'
import { del } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { useTexts } from '../../language/language.tsx'
import { ButtonWithIcon } from '../../ui/buttons.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { Dialog, useDialog } from '../../ui/forms/dialog.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { AddressLine } from '../shares/address-line.tsx'
import classes from '../shares/shares.module.css'
import { CreateDropForm } from './create-form.tsx'
import { words } from './words.ts'

export function DropsSection() {
  const { w, format } = useTexts(words)
  const { data: dropLinks = [] } = useGet('abgaben')
  const [isCreating, setCreating] = useState(false)
  const endLinkDialog = useDialog<DropOnWire>()
  const { ordner = '', schluessel = '' } = endLinkDialog.subject ?? {}
  return (
    <section aria-label={w.title}>
      <Title order={2} size="h3" mt="xl" mb="xs">
        {w.title}
      </Title>
      <DimmedText maw={720} mb="md">
        {w.whatItDoes}
      </DimmedText>
      <ul className={classes.list} aria-label={w.title}>
        {dropLinks.map(dropLink => (
          <li key={dropLink.schluessel}>
            <Panel className={classes.share}>
              <div className={classes.facts}>
                <Text fw={600}>{dropLink.ordner}</Text>
                <DimmedText>
                  {w.handedIn(
                    format.number(dropLink.abgegeben),
                    format.number(dropLink.anzahl),
                    format.bytes(dropLink.bytes),
                  )}
                  {dropLink.gueltig_bis !== null && ` · ${w.validUntil(format.moment(dropLink.gueltig_bis))}`}
                </DimmedText>
              </div>
              <ButtonWithIcon
                icon={IconLinkOff}
                label={w.end}
                variant="subtle"
                color="gray"
                c="var(--fundus-bad)"
                aria-label={w.endOne(dropLink.ordner)}
                onClick={() => endLinkDialog.open(dropLink)}
              />
              <AddressLine url={dropLink.adresse} />
            </Panel>
          </li>
        ))}
      </ul>
      <ButtonWithIcon
        mt="md"
        icon={IconInbox}
        label={w.create}
        iconSize={18}
        onClick={() => setCreating(true)}
      />
      <Dialog opened={isCreating} onClose={() => setCreating(false)} size="lg" title={w.create}>
        <CreateDropForm onDone={() => setCreating(false)} />
      </Dialog>
      <ConfirmDialog
        {...endLinkDialog}
        title={w.endTitle(ordner)}
        confirmLabel={w.end}
        onConfirm={() => del(`abgaben/${schluessel}`)}
        successMessage={w.ended}
        refresh={['abgaben']}
      >
        <Text>{w.endLoss}</Text>
      </ConfirmDialog>
    </section>
  )
}
