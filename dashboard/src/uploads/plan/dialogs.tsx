/** The dialogs of uploading; their code is fetched when the first of them may be needed. */
import { AddressDialog } from './address-dialog.tsx'
import { PlanDialog } from './plan-dialog.tsx'

export default function Dialogs() {
  return (
    <>
      <PlanDialog />
      <AddressDialog />
    </>
  )
}
