import { usePackage } from '../../../src/use-package.js'

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

export async function GET() {
  return Response.json(await usePackage())
}
