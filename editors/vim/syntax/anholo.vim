" Vim syntax for the model language of Anholo; written by scripts/editors.
if exists("b:current_syntax")
  finish
endif
syntax iskeyword @,48-57,_
syntax keyword anholoClause about accessible along angle arrow at attracting axis blade box by characteristic colour cone constant curve cylinder damping disc ellipsoid equilibrium falling free ground growth holonomic identically in inertia inf inside integral label length limit line mass measure moving near nonholonomic normal nowhere of on or plane radius rank ratio reaction rising scale singular size solution sphere spinning stable steady stiffness torus trace tube turn turning unstable wheel when without
syntax keyword anholoQuantity energy jacobi kinetic lambda potential reaction pi t
syntax match anholoStatement /^\s*\%(assume\|ball\|body\|claim\|constraint\|coordinate\|damper\|dissipation\|draw\|for\|force\|function\|gear\|gravity\|hinge\|input\|kinetic\|let\|marker\|output\|parameter\|point\|potential\|quasivelocity\|record\|refute\|rod\|roll\|shape\|simulate\|slide\|slider\|source\|spring\|start\|stop\|surface\|system\|torque\|torsion\|unit\|velocity\|weld\)\>/
syntax match anholoFunction /\<\%(abs\|acos\|asin\|atan\|atan2\|axis\|clamp\|cos\|cosh\|cross\|der\|dot\|exp\|if\|log\|max\|min\|norm\|omega\|position\|product\|sign\|sin\|sinh\|sqrt\|step\|sum\|tan\|tanh\|velocity\)\ze(/
syntax match anholoNumber /\<\d\+\%(\.\d\+\)\?\%([eE][-+]\?\d\+\)\?/
syntax match anholoPrime /[A-Za-z0-9_\]]\@<='\+/
syntax region anholoString start=/"/ end=/"/ oneline
syntax match anholoComment /#.*$/
highlight default link anholoStatement Statement
highlight default link anholoClause Keyword
highlight default link anholoFunction Function
highlight default link anholoQuantity Identifier
highlight default link anholoNumber Number
highlight default link anholoPrime Operator
highlight default link anholoString String
highlight default link anholoComment Comment
let b:current_syntax = "anholo"
