import '../js/swap/register.js'
