import { usePackage } from './use-package.js'

usePackage().then((used) => console.log(JSON.stringify(used)))
