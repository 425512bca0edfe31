/** The upload dialogs. Their code is loaded when one of them may be needed. */
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
